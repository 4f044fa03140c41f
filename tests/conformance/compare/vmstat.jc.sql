-- Reports of the host: shares, blocked tasks, swapping in KiB/s; of "vmstat -d" the counters of each disk that did any I/O, io_seconds in ms.
WITH e AS (SELECT key + 1 AS report, value AS v FROM json_each(:json) WHERE json_extract(value, '$.disk') IS NULL),
     f(field, metric, factor) AS (VALUES ('user_time', 'cpu_user_pct', 1), ('system_time', 'cpu_system_pct', 1), ('idle_time', 'cpu_idle_pct', 1),
         ('io_wait_time', 'cpu_iowait_pct', 1), ('stolen_time', 'cpu_steal_pct', 1), ('uninterruptible_sleeping_procs', 'procs_blocked', 1),
         ('swap_in', 'swap_in_bytes_s', 1024), ('swap_out', 'swap_out_bytes_s', 1024))
SELECT 'report ' || e.report || ' ' || field, json_extract(v, '$.' || field) * factor,
       (SELECT value FROM points p WHERE p.report = e.report AND p.metric = f.metric)
FROM e JOIN f;
WITH e AS (SELECT value AS v, json_extract(value, '$.disk') AS disk FROM json_each(:json) WHERE json_extract(value, '$.total_reads') + json_extract(value, '$.total_writes') > 0),
     f(field, name, factor) AS (VALUES ('total_reads', 'reads', 1), ('merged_reads', 'reads_merged', 1), ('sectors_read', 'read_sectors', 1), ('reading_ms', 'read_ms', 1),
         ('total_writes', 'writes', 1), ('merged_writes', 'writes_merged', 1), ('sectors_written', 'write_sectors', 1), ('writing_ms', 'write_ms', 1),
         ('current_io', 'in_flight', 1), ('io_seconds', 'io_ms', 1000))
SELECT disk || ' ' || field, json_extract(v, '$.' || field) * factor, (SELECT value FROM f_counter c WHERE c.ref = disk AND c.name = f.name)
FROM e JOIN f;
