-- Which machines have not been looked at for a week before the newest look of all?
SELECT name, max(started) AS newest FROM runs
GROUP BY name
HAVING max(started)::TIMESTAMP < (SELECT max(started)::TIMESTAMP FROM runs) - INTERVAL 7 DAY
ORDER BY newest;
