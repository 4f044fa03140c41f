-- One object per device; partitions of "blkid -ip -o udev" are named by their disk's numbers (8:0 is sda) and their number.
-- Kept: type, label, UUID, sector sizes.
WITH e AS (SELECT value AS v,
           CASE WHEN json_extract(value, '$.device') IS NOT NULL THEN json_extract(value, '$.device')
                WHEN json_extract(value, '$.id_part_entry_disk') = '8:0' THEN 'sda' || json_extract(value, '$.id_part_entry_number') END AS device
           FROM json_each(:json)),
     n AS (SELECT v, CASE WHEN device LIKE '/dev/mapper/%' THEN substr(device, 13) WHEN device LIKE '/dev/%' THEN substr(device, 6) ELSE device END AS ref FROM e),
     f(field, k) AS (VALUES ('type', 'fs_type'), ('uuid', 'fs_uuid'), ('label', 'fs_label'), ('id_fs_type', 'fs_type'), ('id_fs_uuid', 'fs_uuid'),
         ('id_fs_label', 'fs_label'), ('id_iolimit_physical_sector_size', 'physical_block_bytes'), ('id_iolimit_logical_sector_size', 'logical_block_bytes'))
SELECT coalesce(ref, '?') || ' ' || field, json_extract(v, '$.' || field),
       (SELECT value FROM settings s WHERE s.key = k AND (s.ref = n.ref OR n.ref IS NULL))
FROM n JOIN f;
