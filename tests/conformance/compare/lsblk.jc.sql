-- One object per row of the listing. A device-mapper name has a kernel name of its own where KNAME is printed.
-- A swap area is mounted nowhere. Not kept: ro, owner, group, mode, alignment, disc_aln, disc_zero, wsame, rand, partlabel, partuuid. RA counts KiB.
WITH e AS (SELECT value AS v, coalesce(json_extract(value, '$.kname'), json_extract(value, '$.name')) AS ref, key AS nr FROM json_each(:json)),
     f(field, k) AS (VALUES ('size_bytes', 'size_bytes'), ('rm', 'removable'), ('mountpoint', 'mountpoint'), ('fstype', 'fs_type'),
         ('label', 'fs_label'), ('uuid', 'fs_uuid'), ('ra', 'read_ahead_kb'), ('model', 'model'), ('serial', 'serial'),
         ('state', 'device_state'), ('phy_sec', 'physical_block_bytes'), ('log_sec', 'logical_block_bytes'), ('rota', 'rotational'),
         ('sched', 'scheduler'), ('rq_size', 'nr_requests'), ('disc_gran_bytes', 'discard_granularity_bytes'),
         ('disc_max_bytes', 'discard_max_bytes'), ('hctl', 'hctl'), ('tran', 'transport'), ('rev', 'firmware'), ('vendor', 'vendor'),
         ('type', 'device_type'))
SELECT DISTINCT e.ref || ' ' || f.field,
       CASE WHEN field = 'type' AND json_extract(v, '$.type') = 'rom' THEN 'cdrom' ELSE trim(json_extract(v, '$.' || field)) END,
       (SELECT value FROM settings s WHERE s.ref = e.ref AND s.key = f.k)
FROM e JOIN f WHERE json_extract(v, '$.' || field) IS NOT NULL AND json_extract(v, '$.' || field) <> '[SWAP]';
SELECT DISTINCT json_extract(value, '$.pkname') || ' over ' || json_extract(value, '$.kname'), 1,
       (SELECT count(DISTINCT child) FROM edges WHERE parent = json_extract(j.value, '$.pkname') AND child = json_extract(j.value, '$.kname'))
FROM json_each(:json) j WHERE json_extract(value, '$.pkname') IS NOT NULL;
