-- Mounts that rest on a device or a server; pseudo file systems and snap loops are counted, not kept. Several may lie on one point.
WITH e AS (SELECT key AS nr, value AS v, json_extract(value, '$.mount_point') AS point FROM json_each(:json)
           WHERE json_extract(value, '$.filesystem') LIKE '%/%' AND json_extract(value, '$.type') <> 'squashfs'),
     n AS (SELECT *, row_number() OVER (PARTITION BY point ORDER BY nr) AS twin FROM e),
     m AS (SELECT *, row_number() OVER (PARTITION BY mountpoint ORDER BY nr) AS twin FROM f_mount),
     f(field) AS (VALUES ('filesystem'), ('mount_point'), ('type'), ('options'))
SELECT point || ' ' || field,
       CASE field WHEN 'options' THEN (SELECT group_concat(o.value, ',') FROM json_each(v, '$.options') o) ELSE json_extract(v, '$.' || field) END,
       CASE field WHEN 'options' THEN m.options WHEN 'filesystem' THEN m.source WHEN 'mount_point' THEN m.mountpoint ELSE m.fstype END
FROM n JOIN f LEFT JOIN m ON m.mountpoint = n.point AND m.twin = n.twin;
SELECT 'mounts', count(*), (SELECT rows FROM source WHERE tool = 'mounts') FROM json_each(:json);
