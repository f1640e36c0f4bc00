-- How far do machines of one kind differ at their newest runs, by figure?
WITH newest AS (SELECT host, max(started) AS started FROM runs WHERE unfit IS NULL GROUP BY host)
SELECT r.model, r.cpus, m.metric, count(*) AS machines, median(m.median) AS middle,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY m.median)
           / percentile_cont(0.01) WITHIN GROUP (ORDER BY m.median) - 1 AS range_1_to_99
FROM metrics m JOIN newest USING (host, started) JOIN runs r USING (host, started)
WHERE m.probe = 'figure'
GROUP BY r.model, r.cpus, m.metric HAVING count(*) >= 5 ORDER BY range_1_to_99 DESC, m.metric;
