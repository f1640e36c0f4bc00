-- Which memory modules come with which bandwidth, at the newest runs?
WITH newest AS (SELECT host, max(started) AS started FROM runs WHERE unfit IS NULL GROUP BY host)
SELECT r.model, r.modules, count(*) AS machines, median(m.median) / 1e9 AS gb_per_s
FROM metrics m JOIN newest USING (host, started) JOIN runs r USING (host, started)
WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth'
GROUP BY r.model, r.modules ORDER BY gb_per_s;
