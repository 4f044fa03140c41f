-- Triples of a path and a word. The source keeps blanks before raw values. SCSI: what counters and settings hold.
WITH t AS (SELECT json_extract(value, '$[2]') AS path, trim(json_extract(value, '$[3]')) AS word FROM json_tree(:json)
           WHERE type = 'array' AND json_array_length(value) = 4 AND json_extract(value, '$[2]') LIKE 'SMART/%'),
     a AS (SELECT *, CAST(after(path, '(', ')') AS INTEGER) AS id, after(path, ')/', '') AS field FROM t WHERE path LIKE 'SMART/%(%)/%')
SELECT path, CASE field WHEN 'raw' THEN word WHEN 'when_failed' THEN nullif(word, 'NEVER') ELSE CAST(word AS INTEGER) END,
       (SELECT CASE field WHEN 'value' THEN c.normalized WHEN 'worst' THEN c.worst WHEN 'thresh' THEN c.threshold WHEN 'raw' THEN c.raw
                   ELSE c.when_failed END FROM f_counter c WHERE c.kind = 'ata' AND c.id = a.id)
FROM a;
WITH t AS (SELECT json_extract(value, '$[2]') AS path, trim(json_extract(value, '$[3]')) AS word FROM json_tree(:json)
           WHERE type = 'array' AND json_array_length(value) = 4),
     s(path, k) AS (VALUES ('SMART/device_model', 'model'), ('SMART/serial_number', 'serial'), ('SMART/firmware_version', 'firmware'),
         ('SMART/vendor', 'vendor'), ('SMART/product', 'model'), ('SMART/current_drive_temperature', 'temperature_celsius'),
         ('SMART/drive_trip_temperature', 'temperature_max_celsius'))
SELECT t.path, word, (SELECT value FROM settings WHERE key = s.k) FROM t JOIN s ON s.path = t.path;
WITH t AS (SELECT json_extract(value, '$[2]') AS path, trim(json_extract(value, '$[3]')) AS word FROM json_tree(:json)
           WHERE type = 'array' AND json_array_length(value) = 4),
     s(path, name) AS (VALUES ('SMART/start_stop_cycle_count', 'accumulated_start_stop_cycles'), ('SMART/load_count', 'accumulated_load_unload_cycles'),
         ('SMART/read_total_corrected_errors', 'read_total_errors_corrected'), ('SMART/write_total_corrected_errors', 'write_total_errors_corrected'),
         ('SMART/read_gigabytes_processed', 'read_gigabytes_processed'), ('SMART/write_gigabytes_processed', 'write_gigabytes_processed'),
         ('SMART/read_total_uncorrected_errors', 'read_total_uncorrected_errors'), ('SMART/write_total_uncorrected_errors', 'write_total_uncorrected_errors'),
         ('SMART/non_medium_errors_count', 'non_medium_error_count'))
SELECT t.path, word, (SELECT value FROM f_counter c WHERE c.name = s.name) FROM t JOIN s ON s.path = t.path;
-- Whole hours are kept of "14491.72"; rotation "5400 rpm"; health "OK" of a SCSI drive means PASSED.
WITH t AS (SELECT json_extract(value, '$[2]') AS path, trim(json_extract(value, '$[3]')) AS word FROM json_tree(:json)
           WHERE type = 'array' AND json_array_length(value) = 4)
SELECT path, CASE path WHEN 'SMART/health' THEN replace(word, 'OK', 'PASSED') ELSE CAST(word AS INTEGER) END,
       (SELECT value FROM settings WHERE key = CASE path WHEN 'SMART/power_on_hours' THEN 'power_on_hours' WHEN 'SMART/health' THEN 'smart_health' ELSE 'rotation_rpm' END)
FROM t WHERE path IN ('SMART/power_on_hours', 'SMART/rotation_rate', 'SMART/health');
