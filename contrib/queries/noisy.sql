-- Which series scatter most in the newest month, over all machines?
SELECT probe, metric, coordinates, count(*) AS looks, avg(cv) AS cv FROM metrics
WHERE cv IS NOT NULL AND month = (SELECT max(month) FROM runs WHERE started IS NOT NULL)
GROUP BY probe, metric, coordinates ORDER BY cv DESC, coordinates LIMIT 20;
