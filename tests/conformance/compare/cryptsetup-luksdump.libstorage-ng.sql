-- One line of key:value words. key-size counts bytes; our key bits.
WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.lines')),
     f(word, k) AS (VALUES (' uuid:', 'fs_uuid'), (' encryption-type:', 'crypt_type'), (' cipher:', 'crypt_cipher'), (' key-size:', 'crypt_key_bits'),
         (' pbkdf:', 'crypt_pbkdf'), (' integrity:', 'crypt_integrity'))
SELECT k, CASE word WHEN ' key-size:' THEN 8 * after(v, word, ' ') WHEN ' encryption-type:' THEN upper(after(v, word, ' ')) ELSE after(v, word, ' ') END,
       (SELECT value FROM settings WHERE key = k)
FROM l JOIN f;
