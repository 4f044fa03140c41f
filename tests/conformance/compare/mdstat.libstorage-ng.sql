-- Lines "data[md0] -> key:value ..."; sizes and chunks in bytes, members with their mark ((S) spare or not assembled, (F) faulty, (J) journal).
WITH l AS (SELECT value || ' ' AS v, after(value, 'data[', ']') AS name FROM json_each(:json, '$.lines')),
     f(word, k) AS (VALUES (' size:', 'size_bytes'), (' chunk-size:', 'md_chunk_bytes'), (' container-name:', 'md_container'))
SELECT name || k, after(v, word, ' '), (SELECT value FROM settings WHERE key = k AND ref = name) FROM l JOIN f;
WITH l AS (SELECT value || ' ' AS v, after(value, 'data[', ']') AS name FROM json_each(:json, '$.lines'))
SELECT name || ' level', nullif(lower(after(v, 'md-level:', ' ')), 'unknown'), (SELECT level FROM f_raid_array WHERE name = l.name) FROM l
UNION ALL SELECT name || ' metadata', CASE WHEN v LIKE '%super:external%' THEN 'external' ELSE after(v, ' super:', ' ') END,
    (SELECT value FROM settings WHERE key = 'md_metadata' AND ref = name) FROM l
UNION ALL SELECT name || ' format', CASE WHEN v LIKE '%super:external:%' AND v NOT LIKE '%super:external:/%' THEN after(v, 'super:external:', ' ') END,
    (SELECT value FROM settings WHERE key = 'md_external' AND ref = name) FROM l
UNION ALL SELECT name || ' inactive', 1, (SELECT state LIKE 'inactive%' FROM f_raid_array WHERE name = l.name) FROM l WHERE v LIKE '% inactive %'
UNION ALL SELECT name || ' read-only', 1, (SELECT state LIKE '%read-only%' FROM f_raid_array WHERE name = l.name) FROM l
    WHERE v LIKE '% read-only %' AND v NOT LIKE '% inactive %';
WITH l AS (SELECT value || ' ' AS v, after(value, 'data[', ']') AS name FROM json_each(:json, '$.lines')),
     d AS (SELECT name, m.value AS device FROM l, json_each('["' || replace(after(v, 'devices:<', '>'), ' ', '","') || '"]') m),
     e AS (SELECT name, device, substr(CASE WHEN device LIKE '%(_)' THEN substr(device, 1, length(device) - 3) ELSE device END, 6) AS disk FROM d)
SELECT disk || ' in ' || name, 1, (SELECT count(DISTINCT child) FROM edges WHERE parent = disk AND child = name) FROM e
UNION ALL SELECT disk || ' of ' || name || ' state', CASE WHEN device LIKE '%(F)' THEN 'faulty' WHEN device LIKE '%(J)' THEN 'journal' END,
    (SELECT value FROM settings WHERE key = 'md_member_state' AND ref = disk AND value = CASE WHEN device LIKE '%(F)' THEN 'faulty' ELSE 'journal' END) FROM e;
