-- Of the thousands of variables those are kept that bear on storage; each of them must be what the source read. A value of several
-- words has them divided by tabs or blanks.
WITH e AS (SELECT key AS name, replace(CAST(value AS TEXT), char(9), ' ') AS v FROM json_each(:json)),
     k(name, setting) AS (VALUES ('vm.dirty_ratio', 'vm_dirty_ratio_pct'), ('vm.dirty_background_ratio', 'vm_dirty_background_ratio_pct'),
         ('vm.dirty_bytes', 'vm_dirty_bytes'), ('vm.dirty_background_bytes', 'vm_dirty_background_bytes'), ('vm.dirty_expire_centisecs', 'vm_dirty_expire_cs'),
         ('vm.dirty_writeback_centisecs', 'vm_dirty_writeback_cs'), ('vm.swappiness', 'vm_swappiness'), ('kernel.hostname', 'hostname'),
         ('kernel.osrelease', 'kernel_release'), ('kern.osrelease', 'kernel_release'), ('kern.hostname', 'hostname'))
SELECT e.name, v, (SELECT value FROM settings WHERE key = setting) FROM e JOIN k ON k.name = e.name;
SELECT substr(value, 1, instr(value, '=') - 1),
       (SELECT replace(CAST(j.value AS TEXT), char(9), ' ') FROM json_each(:json) j WHERE j.key = substr(s.value, 1, instr(s.value, '=') - 1)),
       replace(substr(value, instr(value, '=') + 1), char(9), ' ')
FROM settings s WHERE key = 'sysctl';
SELECT 'rows', count(*), (SELECT CASE WHEN sum(rows) >= count THEN count ELSE sum(rows) END FROM source, (SELECT count(*) AS count FROM json_each(:json)))
FROM json_each(:json);
