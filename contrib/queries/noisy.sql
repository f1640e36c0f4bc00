-- Which series scatter most in the newest month, over all fit runs?
SELECT probe, metric, coordinates, count(*) AS runs, avg(cv) AS cv
FROM metrics JOIN (SELECT host, started FROM runs WHERE unfit IS NULL) USING (host, started)
WHERE cv IS NOT NULL AND month = (SELECT max(month) FROM runs WHERE unfit IS NULL AND started IS NOT NULL)
GROUP BY probe, metric, coordinates ORDER BY cv DESC, coordinates LIMIT 20;
