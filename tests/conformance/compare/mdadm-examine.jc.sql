-- The superblock of one member. Array sizes are not facts of a member; a container's volumes are arrays (name, level, members).
WITH f(field, k) AS (VALUES ('version', 'md_metadata'), ('array_uuid', 'md_uuid'), ('uuid_val', 'md_uuid'), ('name_val', 'md_name'), ('state', 'md_state'),
         ('update_time', 'md_update_time'), ('checksum_state', 'md_checksum'), ('events', 'md_events'), ('layout', 'md_layout'))
SELECT field, trim(json_extract(:json, '$.' || field)), (SELECT value FROM settings WHERE key = k) FROM f;
SELECT 'chunk', json_extract(:json, '$.chunk_size_num') * 1024, (SELECT value FROM settings WHERE key = 'md_chunk_bytes')
UNION ALL SELECT 'role', CASE WHEN json_extract(:json, '$.device_role') LIKE '%evice %' THEN after(json_extract(:json, '$.device_role'), 'evice ', ' ')
        WHEN json_extract(:json, '$.device_role') = 'spare' THEN 'spare' END, (SELECT value FROM settings WHERE key = 'md_member_slot')
UNION ALL SELECT 'map', after(json_extract(:json, '$.array_state'), '', ' '), (SELECT value FROM settings WHERE key = 'md_member_map')
UNION ALL SELECT 'flags', json_extract(:json, '$.flags'), (SELECT value FROM settings WHERE key = 'md_member_flags');
WITH n(i) AS (VALUES (0), (1))
SELECT 'volume ' || i || ' level', lower(json_extract(:json, '$.raid_level_' || i)), (SELECT level FROM f_raid_array WHERE name LIKE '%' || json_extract(:json, '$.name_' || i) || '%') FROM n
UNION ALL SELECT 'volume ' || i || ' devices', CAST(json_extract(:json, '$.raid_devices_' || i) AS INTEGER),
    (SELECT raid_disks FROM f_raid_array WHERE name LIKE '%' || json_extract(:json, '$.name_' || i) || '%') FROM n;
