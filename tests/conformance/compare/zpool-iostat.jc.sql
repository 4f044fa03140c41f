-- Operations and bytes a second per row; sizes with a unit letter are powers of 1024. Space is not a rate and not compared.
WITH e AS (SELECT json_extract(value, '$.pool') AS ref, value AS v FROM json_each(:json)),
     unit(letter, factor) AS (VALUES ('K', 1024.0), ('M', 1048576.0), ('G', 1073741824.0), ('T', 1099511627776.0)),
     f(field, metric) AS (VALUES ('ops_read', 'r_s'), ('ops_write', 'w_s'), ('bw_read', 'r_bytes_s'), ('bw_write', 'w_bytes_s'))
SELECT e.ref || ' ' || f.field,
       json_extract(v, '$.' || field) * coalesce((SELECT factor FROM unit WHERE letter = json_extract(v, '$.' || field || '_unit')), 1),
       (SELECT p.value FROM points p WHERE p.ref = e.ref AND p.metric = f.metric AND p.report = 1)
FROM e JOIN f;
