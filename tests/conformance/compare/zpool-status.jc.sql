-- The pool and every row of its config. Folded lines of status and action become one line with blanks.
WITH p AS (SELECT value AS v, json_extract(value, '$.pool') AS name FROM json_each(:json)),
     f(field) AS (VALUES ('state'), ('status'), ('action'), ('see'), ('errors'))
SELECT name || ' ' || field, replace(json_extract(v, '$.' || field), char(10), ' '),
       (SELECT CASE field WHEN 'state' THEN q.state WHEN 'status' THEN q.status WHEN 'action' THEN q.action WHEN 'see' THEN q.see
                   ELSE q.errors END FROM f_pool q WHERE q.name = p.name)
FROM p JOIN f;
SELECT json_extract(value, '$.pool') || ' scan', json_extract(value, '$.scan'),
       (SELECT text FROM f_pool_scan WHERE ref = json_extract(json_each.value, '$.pool'))
FROM json_each(:json) WHERE json_extract(value, '$.scan') NOT LIKE 'none %';
WITH c AS (SELECT json_extract(p.value, '$.pool') AS pool, c.value AS v, c.key AS nr FROM json_each(:json) p, json_each(p.value, '$.config') c),
     g AS (SELECT *, json_extract(v, '$.name') AS name FROM c),
     n AS (SELECT *, row_number() OVER (PARTITION BY pool, name ORDER BY nr) AS twin FROM g),
     h AS (SELECT *, row_number() OVER (PARTITION BY pool_name, name ORDER BY nr) AS twin FROM f_vdev),
     f(field) AS (VALUES ('state'), ('read'), ('write'), ('checksum'), ('errors'))
SELECT n.pool || ' ' || n.name || ' ' || field, json_extract(v, '$.' || field),
       CASE field WHEN 'state' THEN h.state WHEN 'read' THEN h.read_errors WHEN 'write' THEN h.write_errors
           WHEN 'checksum' THEN h.cksum_errors ELSE h.text END
FROM n JOIN f LEFT JOIN h ON h.pool_name = n.pool AND h.name = n.name AND h.twin = n.twin;
SELECT 'rows of ' || json_extract(p.value, '$.pool'), json_array_length(p.value, '$.config'),
       (SELECT count(*) FROM f_vdev WHERE pool_name = json_extract(p.value, '$.pool')) FROM json_each(:json) p;
