-- Which settings differ inside a kind, and on how many machines?
WITH settings AS (
    SELECT host, model, 'kernel' AS setting, kernel AS value FROM runs
    UNION ALL SELECT host, model, 'microcode', microcode FROM runs
    UNION ALL SELECT host, model, 'bios', bios FROM runs
    UNION ALL SELECT host, model, 'thp', thp FROM runs
    UNION ALL SELECT host, model, 'governor', governor FROM runs
    UNION ALL SELECT host, model, 'modules', modules FROM runs
), counted AS (
    SELECT model, setting, value, count(DISTINCT host) AS machines FROM settings
    WHERE value IS NOT NULL GROUP BY model, setting, value
), options AS (SELECT model, setting FROM counted GROUP BY model, setting HAVING count(*) > 1)
SELECT model, setting, value, machines FROM counted JOIN options USING (model, setting)
ORDER BY model, setting, machines, value;
