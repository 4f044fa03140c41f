-- A slash in a device's name is a ! in /sys. The source also asked udev and smartctl (serial, health, model, rpm): of it only what /sys says. Its size is 512 x sectors, as ours.
WITH e AS (SELECT replace(key, '/', '!') AS name, value AS v FROM json_each(:json))
SELECT name || ' size', json_extract(v, '$.size'), (SELECT value FROM settings WHERE key = 'size_bytes' AND ref = name) FROM e
UNION ALL SELECT name || ' vendor', json_extract(v, '$.vendor'), (SELECT value FROM settings WHERE key = 'vendor' AND ref = name) FROM e
UNION ALL SELECT name || ' rotational', CASE json_extract(v, '$.type') WHEN 'hdd' THEN 1 WHEN 'ssd' THEN 0 END,
    (SELECT value FROM settings WHERE key = 'rotational' AND ref = name) FROM e;
