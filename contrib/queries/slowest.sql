-- Which machines have the lowest read bandwidth of their kind, at their newest run?
WITH newest AS (SELECT host, max(started) AS started FROM runs WHERE unfit IS NULL GROUP BY host),
fit AS (
    SELECT r.model, r.cpus, r.hypervisor, r.name, m.median
    FROM metrics m JOIN newest USING (host, started) JOIN runs r USING (host, started)
    WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth'
), kinds AS (SELECT model, cpus, hypervisor, median(median) AS middle FROM fit GROUP BY model, cpus, hypervisor)
SELECT model, cpus, name, median / 1e9 AS gb_per_s, median / middle - 1 AS against_peers
FROM fit JOIN kinds USING (model, cpus, hypervisor)
ORDER BY against_peers, name LIMIT 20;
