-- What does a kernel cost? Memory latency by kernel inside each kind, over all fit runs.
SELECT r.model, r.kernel, count(DISTINCT r.host) AS machines, median(m.median) * 1e9 AS ns
FROM metrics m JOIN runs r USING (host, started)
WHERE r.unfit IS NULL AND m.probe = 'figure' AND m.metric = 'memory_latency'
GROUP BY r.model, r.kernel ORDER BY r.model NULLS LAST, ns;
