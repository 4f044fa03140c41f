-- influx lines: tags and fields of the drive, its attributes, and the SCSI error counters.
WITH l AS (SELECT value AS v FROM json_each(:json, '$.lines') WHERE value LIKE 'smartctl,%'),
     f(word, k) AS (VALUES (',serial=', 'serial'), (',vendor=', 'vendor'), (',wwn=', 'wwn'), ('capacity=', 'size_bytes'),
         ('logical_block_size=', 'logical_block_bytes'), ('power_on_hours=', 'power_on_hours'), ('rotation_rate=', 'rotation_rpm'),
         (',temperature=', 'temperature_celsius'))
SELECT k, after(v, word, 'i, '), (SELECT value FROM settings WHERE key = k) FROM l JOIN f;
WITH l AS (SELECT value AS v FROM json_each(:json, '$.lines') WHERE value LIKE 'smartctl,%')
SELECT 'firmware', nullif(after(v, 'firmware="', '"'), ''), (SELECT value FROM settings WHERE key = 'firmware') FROM l
UNION ALL SELECT 'model', replace(after(v, 'model=', ','), '\ ', ' '), (SELECT value FROM settings WHERE key = 'model') FROM l
UNION ALL SELECT 'health', CASE after(v, 'health_ok=', ', ') WHEN 'true' THEN 'PASSED' ELSE 'FAILED' END, (SELECT value FROM settings WHERE key = 'smart_health') FROM l;
WITH l AS (SELECT value AS v FROM json_each(:json, '$.lines') WHERE value LIKE 'smartctl,%type=nvme%'),
     f(word) AS (VALUES ('available_spare'), ('available_spare_threshold'), ('controller_busy_time'), ('critical_comp_time'), ('critical_warning'),
         ('data_units_read'), ('data_units_written'), ('host_reads'), ('host_writes'), ('media_errors'), ('num_err_log_entries'), ('percentage_used'),
         ('power_cycles'), ('unsafe_shutdowns'), ('warning_temp_time'))
SELECT word, after(v, word || '=', 'i, '), (SELECT value FROM f_counter WHERE name = word) FROM l JOIN f;
WITH l AS (SELECT value AS v, replace(after(value, ',name=', ','), '\ ', ' ') AS name FROM json_each(:json, '$.lines') WHERE value LIKE 'smartctl_attributes,%'),
     f(word) AS (VALUES ('raw_value='), ('threshold='), (',value='), ('worst='))
SELECT name || ' ' || word, after(v, word, 'i, '),
       (SELECT CASE word WHEN 'raw_value=' THEN c.value WHEN 'threshold=' THEN c.threshold WHEN ',value=' THEN c.normalized ELSE c.worst END
        FROM f_counter c WHERE c.name = l.name) FROM l JOIN f;
WITH l AS (SELECT value AS v, after(value, 'page=', ',') AS page FROM json_each(:json, '$.lines') WHERE value LIKE 'smartctl_scsi_error%'),
     f(word) AS (VALUES ('correction_algorithm_invocations'), ('errors_corrected_by_eccdelayed'), ('errors_corrected_by_eccfast'),
         ('errors_corrected_by_rereads_rewrites'), ('gigabytes_processed'), ('total_errors_corrected'), ('total_uncorrected_errors'))
SELECT page || ' ' || word, trim(after(v, word || '=', 'i, '), '"'), (SELECT value FROM f_counter WHERE name = page || '_' || word) FROM l JOIN f;
