-- One array: its UUID, metadata, level, and the slot of each member.
WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.lines'))
SELECT 'uuid', after(v, ' uuid:', ' '), (SELECT value FROM settings WHERE key = 'md_uuid') FROM l
UNION ALL SELECT 'metadata', after(v, 'metadata:', ' '), (SELECT value FROM settings WHERE key = 'md_metadata') FROM l
UNION ALL SELECT 'level', lower(after(v, 'level:', ' ')), (SELECT level FROM f_raid_array) FROM l;
WITH l AS (SELECT value || ' ' AS v FROM json_each(:json, '$.lines')),
     d AS (SELECT m.value AS pair FROM l, json_each('["' || replace(after(v, 'roles:<', '>'), ' ', '","') || '"]') m)
SELECT pair, after(pair, ':', ''), (SELECT value FROM settings WHERE key = 'md_member_slot' AND ref = after(pair, '/dev/', ':')) FROM d;
