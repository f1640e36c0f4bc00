-- Which machines have not been looked at for a week before the newest run? That is the second machine's, so that one clock
-- that is ahead makes no other machine silent.
WITH newest AS (SELECT host, max_by(name, started) AS name, max(started) AS started FROM runs GROUP BY host),
second AS (SELECT min(started) AS started FROM (SELECT started FROM newest WHERE started IS NOT NULL ORDER BY started DESC LIMIT 2) two)
SELECT newest.name, newest.started AS newest FROM newest CROSS JOIN second
WHERE CAST(newest.started AS TIMESTAMP) < CAST(second.started AS TIMESTAMP) - INTERVAL 7 DAY
ORDER BY newest.started, newest.name;
