-- Which machines have the lowest read bandwidth of their kind?
SELECT r.model, r.cpus, r.name, m.median / 1e9 AS gb_per_s,
       m.median / median(m.median) OVER (PARTITION BY r.model, r.cpus, r.hypervisor) - 1 AS against_peers
FROM metrics m JOIN runs r USING (host, started)
WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth' AND r.unfit IS NULL
ORDER BY against_peers LIMIT 20;
