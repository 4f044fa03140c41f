-- The tree as the source prints it: addresses and transports of controllers, and which namespaces there are.
WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.text'))
SELECT DISTINCT after(v, ' ctrl ', ' ') || ' address', after(v, 'traddr=', ' '), (SELECT value FROM settings WHERE key = 'pci' AND ref = after(v, ' ctrl ', ' '))
FROM l WHERE v LIKE '% ctrl %transport=pcie%';
WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.text'))
SELECT DISTINCT 'namespace ' || after(substr(v, instr(v, ' ns ') + 4), ' ', ' '), 1,
       (SELECT count(DISTINCT ref) FROM settings WHERE ref = after(substr(v, instr(v, ' ns ') + 4), ' ', ' '))
FROM l WHERE v LIKE '% ns %';
