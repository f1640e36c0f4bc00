-- Which memory modules come with which bandwidth?
SELECT r.model, r.modules, count(*) AS machines, median(m.median) / 1e9 AS gb_per_s
FROM metrics m JOIN runs r USING (host, started)
WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth' GROUP BY ALL ORDER BY gb_per_s;
