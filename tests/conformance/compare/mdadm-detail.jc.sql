-- The array's facts and the table of members. A container has no level, counts or state of its own.
WITH f(field, k) AS (VALUES ('version', 'md_metadata'), ('update_time', 'md_update_time'), ('state', 'md_state'), ('consistency_policy', 'md_consistency_policy'),
         ('name_val', 'md_name'), ('uuid_val', 'md_uuid'), ('layout', 'md_layout'))
SELECT field, trim(json_extract(:json, '$.' || field)), (SELECT value FROM settings WHERE key = k) FROM f;
SELECT 'size', json_extract(:json, '$.array_size_num') * 1024, (SELECT value FROM settings WHERE key = 'size_bytes')
UNION ALL SELECT 'chunk', json_extract(:json, '$.chunk_size_num') * 1024, (SELECT value FROM settings WHERE key = 'md_chunk_bytes')
UNION ALL SELECT 'events', json_extract(:json, '$.events'), (SELECT value FROM settings WHERE key = 'md_events')
UNION ALL SELECT 'level', nullif(json_extract(:json, '$.raid_level'), 'container'), (SELECT level FROM f_raid_array LIMIT 1)
UNION ALL SELECT 'raid devices', json_extract(:json, '$.raid_devices'), (SELECT raid_disks FROM f_raid_array LIMIT 1)
UNION ALL SELECT 'active', json_extract(:json, '$.active_devices'), (SELECT active_disks FROM f_raid_array LIMIT 1)
UNION ALL SELECT 'failed', json_extract(:json, '$.failed_devices'), (SELECT failed_disks FROM f_raid_array LIMIT 1)
UNION ALL SELECT 'spare', json_extract(:json, '$.spare_devices'), (SELECT spare_disks FROM f_raid_array LIMIT 1)
UNION ALL SELECT 'progress', coalesce(json_extract(:json, '$.rebuild_status_percent'), json_extract(:json, '$.resync_status_percent'), json_extract(:json, '$.check_status_percent')),
    (SELECT sync_pct FROM f_raid_array LIMIT 1);
WITH t AS (SELECT value AS v, substr(json_extract(value, '$.device'), 6) AS disk, (SELECT group_concat(s.value, ' ') FROM json_each(value, '$.state') s) AS words
           FROM json_each(:json, '$.device_table') WHERE json_extract(value, '$.device') IS NOT NULL)
SELECT disk || ' slot', json_extract(v, '$.raid_device'), (SELECT value FROM settings WHERE key = 'md_member_slot' AND ref = disk) FROM t
UNION ALL SELECT disk || ' state', CASE WHEN words LIKE '%faulty%' THEN 'faulty' WHEN words LIKE '%spare%rebuilding%' THEN 'spare rebuilding'
        WHEN words LIKE '%spare%' THEN 'spare' WHEN words LIKE '%active%' THEN 'in use' END,
    (SELECT value FROM settings WHERE key = 'md_member_state' AND ref = disk) FROM t
UNION ALL SELECT disk || ' in the array', 1, (SELECT count(DISTINCT child) FROM edges WHERE parent = disk) FROM t;
