-- Is a rack slow? Read bandwidth by label against all machines of the kind.
SELECT r.model, r.labels, count(*) AS machines,
       median(m.median) / (SELECT median(a.median) FROM metrics a JOIN runs b USING (host, started)
                           WHERE a.metric = m.metric AND a.probe = 'figure' AND b.model = r.model) - 1 AS against_all
FROM metrics m JOIN runs r USING (host, started)
WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth'
GROUP BY r.model, r.labels, m.metric ORDER BY against_all;
