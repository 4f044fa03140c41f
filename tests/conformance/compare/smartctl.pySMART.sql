-- The source's device object: identity, ATA attributes, NVMe log and SCSI error counters; it keeps "" or null for what it does not know.
WITH f(path, k) AS (VALUES ('model', 'model'), ('serial', 'serial'), ('firmware', 'firmware'), ('size', 'size_bytes'),
         ('logical_sector_size', 'logical_block_bytes'), ('rotation_rate', 'rotation_rpm'), ('physical_sector_size', 'physical_block_bytes'))
SELECT k, nullif(json_extract(:json, '$.values.' || path), ''),
       coalesce((SELECT value FROM settings WHERE key = k), CASE k WHEN 'logical_block_bytes' THEN (SELECT value FROM settings WHERE key = 'lba_format_bytes') END)
FROM f WHERE NOT (k = 'rotation_rpm' AND json_extract(:json, '$.values.rotation_rate') = 0);
SELECT 'assessment', CASE json_extract(:json, '$.values.assessment') WHEN 'PASS' THEN 'PASSED' WHEN 'FAIL' THEN 'FAILED' END,
       (SELECT value FROM settings WHERE key = 'smart_health');
SELECT 'temperature', json_extract(:json, '$.values.temperature'), (SELECT value FROM settings WHERE key = 'temperature_celsius');
WITH a AS (SELECT value AS v, json_extract(value, '$.num') AS id FROM json_each(:json, '$.values.attributes') WHERE type = 'object'),
     f(field) AS (VALUES ('name'), ('value_int'), ('worst'), ('thresh'), ('raw'), ('when_failed'))
SELECT id || ' ' || field, CASE field WHEN 'when_failed' THEN nullif(json_extract(v, '$.when_failed'), '-') ELSE json_extract(v, '$.' || field) END,
       (SELECT CASE field WHEN 'name' THEN c.name WHEN 'value_int' THEN c.normalized WHEN 'worst' THEN c.worst WHEN 'thresh' THEN c.threshold
                   WHEN 'raw' THEN c.raw ELSE c.when_failed END FROM f_counter c WHERE c.kind = 'ata' AND c.id = a.id)
FROM a JOIN f;
WITH f(field, name) AS (VALUES ('availableSpare', 'available_spare'), ('availableSpareThreshold', 'available_spare_threshold'),
         ('controllerBusyTime', 'controller_busy_time'), ('criticalTemperatureTime', 'critical_comp_time'), ('criticalWarning', 'critical_warning'),
         ('dataUnitsRead', 'data_units_read'), ('dataUnitsWritten', 'data_units_written'), ('errorEntries', 'num_err_log_entries'),
         ('hostReadCommands', 'host_reads'), ('hostWriteCommands', 'host_writes'), ('integrityErrors', 'media_errors'),
         ('percentageUsed', 'percentage_used'), ('powerCycles', 'power_cycles'), ('powerOnHours', 'power_on_hours'), ('unsafeShutdowns', 'unsafe_shutdowns'))
SELECT field, json_extract(:json, '$.values.if_attributes.' || field), (SELECT value FROM f_counter c WHERE c.kind = 'nvme' AND c.name = f.name)
FROM f WHERE json_extract(:json, '$.interface') = 'nvme' OR json_extract(:json, '$.values.interface') = 'nvme';
WITH f(field, name) AS (VALUES ('Reads_GB', 'read_gigabytes_processed'), ('Writes_GB', 'write_gigabytes_processed'), ('Verifies_GB', 'verify_gigabytes_processed'),
         ('Uncorrected_Reads', 'read_total_uncorrected_errors'), ('Uncorrected_Writes', 'write_total_uncorrected_errors'),
         ('Reallocated_Sector_Ct', 'grown_defect_list'), ('Start_Stop_Cycles', 'accumulated_start_stop_cycles'),
         ('Load_Cycle_Count', 'accumulated_load_unload_cycles'), ('Non_Medium_Errors', 'non_medium_error_count'),
         ('Corrected_Reads', 'read_total_errors_corrected'), ('Corrected_Writes', 'write_total_errors_corrected'))
SELECT field, json_extract(:json, '$.values.diagnostics.' || field), (SELECT value FROM f_counter c WHERE c.kind = 'scsi' AND c.name = f.name)
FROM f WHERE json_extract(:json, '$.values.interface') = 'scsi';
