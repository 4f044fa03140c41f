-- info: the number of each name (253 is device-mapper's, its minor the dm name); table: targets, and the disks a map rests on.
WITH l AS (SELECT value || ' ' AS v, after(value, 'data[', ']') AS name FROM json_each(:json, '$.lines'))
SELECT name || ' is', 'dm-' || after(v, ' minor:', ' '), (SELECT b FROM same WHERE a = name) FROM l WHERE v LIKE '% minor:%'
UNION ALL SELECT name || ' target', after(v, ' target:', ' '), (SELECT value FROM settings WHERE key = 'dm_target' AND ref = name) FROM l
UNION ALL SELECT name || ' on 8:2', 1, (SELECT count(DISTINCT parent) FROM edges WHERE child = name AND parent = 'sda2') FROM l WHERE v LIKE '%<8:2>%'
UNION ALL SELECT name || ' on 8:17 and 8:18', 2, (SELECT count(DISTINCT parent) FROM edges WHERE child = name AND parent IN ('sdb1', 'sdb2')) FROM l
    WHERE v LIKE '%<8:17 8:18>%';
