WITH l AS (SELECT value || ' ' AS v, after(value, '/dev/', ']') AS name FROM json_each(:json, '$.lines'))
SELECT name || ' transport', nullif(lower(after(v, 'transport:', ' ')), 'unknown'), (SELECT value FROM settings WHERE key = 'transport' AND ref = name)
FROM l;
