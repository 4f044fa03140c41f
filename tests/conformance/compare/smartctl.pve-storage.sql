-- Attributes of the table, and the health word.
WITH a AS (SELECT value AS v, CAST(trim(json_extract(value, '$.id')) AS INTEGER) AS id FROM json_each(:json, '$.attributes')),
     f(field) AS (VALUES ('name'), ('worst'), ('threshold'), ('normalized'), ('raw'))
SELECT id || ' ' || field, json_extract(v, '$.' || field),
       (SELECT CASE field WHEN 'name' THEN c.name WHEN 'worst' THEN c.worst WHEN 'threshold' THEN c.threshold
                   WHEN 'normalized' THEN c.normalized ELSE c.raw END FROM f_counter c WHERE c.kind = 'ata' AND c.id = a.id)
FROM a JOIN f;
SELECT 'health', json_extract(:json, '$.health'), (SELECT value FROM settings WHERE key = 'smart_health');
SELECT 'attributes', json_array_length(:json, '$.attributes'), (SELECT count(*) FROM f_counter WHERE kind = 'ata' AND id IS NOT NULL);
