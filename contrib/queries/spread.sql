-- How far do machines of one kind differ, by figure?
SELECT r.model, r.cpus, m.metric, count(*) AS machines, median(m.median) AS middle,
       quantile_cont(m.median, 0.99) / quantile_cont(m.median, 0.01) - 1 AS range_1_to_99
FROM metrics m JOIN runs r USING (host, started)
WHERE m.probe = 'figure'
GROUP BY ALL HAVING machines >= 5 ORDER BY range_1_to_99 DESC;
