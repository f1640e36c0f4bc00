-- Which settings differ inside a kind, and on how many machines?
WITH settings AS (
    UNPIVOT (SELECT host, model, kernel::VARCHAR AS kernel, microcode::VARCHAR AS microcode, bios::VARCHAR AS bios,
                    thp::VARCHAR AS thp, governor::VARCHAR AS governor, modules::VARCHAR AS modules FROM runs)
    ON kernel, microcode, bios, thp, governor, modules INTO NAME setting VALUE value
), counted AS (
    SELECT model, setting, value, count(DISTINCT host) AS machines FROM settings GROUP BY model, setting, value
)
SELECT * FROM counted QUALIFY count(*) OVER (PARTITION BY model, setting) > 1 ORDER BY model, setting, machines;
