-- Which series scatter most in the newest month, over all machines?
SELECT probe, metric, coordinates, count(*) AS looks, avg(cv) AS cv FROM metrics
WHERE cv IS NOT NULL AND substring(started, 1, 7) = (SELECT max(substring(started, 1, 7)) FROM runs)
GROUP BY probe, metric, coordinates ORDER BY cv DESC, coordinates LIMIT 20;
