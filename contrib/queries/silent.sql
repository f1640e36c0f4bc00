-- Which machines have not been looked at for a week before the newest look of all?
SELECT max_by(name, started) AS name, max(started) AS newest FROM runs
GROUP BY host
HAVING CAST(max(started) AS TIMESTAMP) < (SELECT CAST(max(started) AS TIMESTAMP) FROM runs) - INTERVAL 7 DAY
ORDER BY newest, name;
