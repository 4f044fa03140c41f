-- The paths of each map, by their disks.
WITH l AS (SELECT value AS v, after(value, 'devices:<', '>') AS devices FROM json_each(:json, '$.lines')),
     w AS (SELECT v, d.value AS device FROM l, json_each('["' || replace(devices, ' ', '","') || '"]') d)
SELECT 'path ' || device || ' of ' || after(v, 'data[', ']'), 1,
       (SELECT count(*) FROM edges WHERE parent = substr(device, 6) AND child LIKE 'dm-%' OR child = after(v, 'data[', ']') AND parent = substr(device, 6))
FROM w;
SELECT 'paths in all', sum(length(value) - length(replace(value, '/dev/', ''))) / 5,
       (SELECT sum(value) FROM settings WHERE key = 'multipath_paths')
FROM json_each(:json, '$.lines');
