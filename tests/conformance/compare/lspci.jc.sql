-- Only storage controllers (class 01), their NVMe kin and bridges (0604) become facts; other devices have no bearing on storage.
WITH e AS (SELECT value AS v, '0000:' || json_extract(value, '$.slot') AS bdf FROM json_each(:json)
           WHERE substr(json_extract(value, '$.class_id'), 1, 2) = '01' OR json_extract(value, '$.class_id') = '0604'),
     f(field) AS (VALUES ('class_id'), ('vendor_id'), ('device_id'), ('progif'), ('subsystem'))
SELECT bdf || ' ' || field,
       CASE field WHEN 'subsystem' THEN json_extract(v, '$.svendor_id') || ':' || json_extract(v, '$.sdevice_id') ELSE json_extract(v, '$.' || field) END,
       (SELECT CASE field WHEN 'class_id' THEN class_code WHEN 'vendor_id' THEN vendor_id WHEN 'device_id' THEN device_id
                   WHEN 'progif' THEN prog_if ELSE subsystem END FROM f_pci_device p WHERE p.bdf = e.bdf)
FROM e JOIN f;
