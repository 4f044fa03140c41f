WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.lines'))
SELECT 'type of ' || after(v, 'name:', ' '), upper(after(v, 'encryption-type:', ' ')),
       (SELECT value FROM settings WHERE key = 'crypt_type' AND ref = after(v, 'name:', ' '))
FROM l;
