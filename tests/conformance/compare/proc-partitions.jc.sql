SELECT json_extract(value, '$.name'), json_extract(value, '$.num_blocks') * 1024,
       (SELECT value FROM settings WHERE key = 'size_bytes' AND ref = json_extract(j.value, '$.name'))
FROM json_each(:json) j;
