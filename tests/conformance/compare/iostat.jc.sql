-- Every report of every device and of the CPU. Rates in kB or MB are 1024 or 1048576 bytes, sizes of old versions sectors.
-- Not kept as facts: percent_nice, svctm (the tool's own manual disowns it), percent_rrqm/wrqm, and the totals of basic reports.
-- A latency of an interval without operations is unknown, not the 0.00 that is printed; where tps alone is given it is io_s.
WITH e AS (SELECT key AS nr, value AS v, coalesce(json_extract(value, '$.device'), 'host') AS ref FROM json_each(:json)),
     n AS (SELECT *, row_number() OVER (PARTITION BY ref ORDER BY nr) AS report FROM e),
     f(field, metric, factor, rate) AS (VALUES
         ('percent_user', 'cpu_user_pct', 1, NULL), ('percent_system', 'cpu_system_pct', 1, NULL),
         ('percent_iowait', 'cpu_iowait_pct', 1, NULL), ('percent_steal', 'cpu_steal_pct', 1, NULL),
         ('percent_idle', 'cpu_idle_pct', 1, NULL), ('tps', 'io_s', 1, NULL), ('r_s', 'r_s', 1, NULL), ('w_s', 'w_s', 1, NULL),
         ('kb_read_s', 'r_bytes_s', 1024, NULL), ('kb_wrtn_s', 'w_bytes_s', 1024, NULL), ('rkb_s', 'r_bytes_s', 1024, NULL),
         ('wkb_s', 'w_bytes_s', 1024, NULL), ('mb_read_s', 'r_bytes_s', 1048576, NULL), ('mb_wrtn_s', 'w_bytes_s', 1048576, NULL),
         ('rmb_s', 'r_bytes_s', 1048576, NULL), ('wmb_s', 'w_bytes_s', 1048576, NULL), ('rrqm_s', 'rrqm_s', 1, NULL),
         ('wrqm_s', 'wrqm_s', 1, NULL), ('r_await', 'r_await_ms', 1, 'r_s'), ('w_await', 'w_await_ms', 1, 'w_s'),
         ('await', 'await_ms', 1, NULL), ('aqu_sz', 'aqu_sz', 1, NULL), ('avgqu_sz', 'aqu_sz', 1, NULL),
         ('rareq_sz', 'rareq_bytes', 1024, 'r_s'), ('wareq_sz', 'wareq_bytes', 1024, 'w_s'), ('avgrq_sz', 'areq_bytes', 512, NULL),
         ('percent_util', 'util_pct', 1, NULL))
SELECT n.ref || ' report ' || n.report || ' ' || f.field, json_extract(v, '$.' || f.field) * f.factor,
       (SELECT p.value FROM points p WHERE p.ref = n.ref AND p.report = n.report AND p.metric = f.metric)
FROM n JOIN f
WHERE json_extract(v, '$.' || f.field) IS NOT NULL
  AND NOT (f.rate IS NOT NULL AND json_extract(v, '$.' || f.field) = 0 AND json_extract(v, '$.' || f.rate) = 0);
SELECT 'reports of devices', count(*), (SELECT count(*) FROM (SELECT DISTINCT ref, report FROM points WHERE ref_kind = 'disk'))
FROM json_each(:json) WHERE json_extract(value, '$.device') IS NOT NULL;
