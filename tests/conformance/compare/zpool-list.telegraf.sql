-- The pool's line; data sets come from another command.
WITH l AS (SELECT value AS v, after(value, 'pool=', ' ,') AS pool FROM json_each(:json, '$.lines') WHERE value LIKE 'zfs_pool,%'),
     f(field) AS (VALUES ('health='), (' allocated='), ('capacity='), ('fragmentation='), ('size='))
SELECT pool || ' ' || field, after(v, field, 'i, '),
       (SELECT CASE field WHEN 'health=' THEN q.state WHEN ' allocated=' THEN q.alloc_bytes WHEN 'capacity=' THEN q.capacity_pct
                   WHEN 'fragmentation=' THEN q.fragmentation_pct ELSE q.size_bytes END FROM f_pool q WHERE q.name = pool)
FROM l JOIN f;
