-- Those of the counters that bear on storage are kept, and each of them must be what the source read.
SELECT name, (SELECT j.value FROM json_each(:json) j WHERE j.key = c.name), value FROM f_counter c;
SELECT name, json_extract(:json, '$.' || name), (SELECT value FROM f_counter c WHERE c.name = n.name)
FROM (SELECT column1 AS name FROM (VALUES ('nr_dirty'), ('nr_writeback'), ('pgpgin'), ('pgpgout'), ('pswpin'), ('pswpout'), ('pgmajfault'))) n;
