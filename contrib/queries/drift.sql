-- Which machines became slower from their first look to their last, by over 5 %?
SELECT r.name, m.metric, arg_max(m.median, m.started) / arg_min(m.median, m.started) - 1 AS change
FROM metrics m JOIN runs r USING (host, started)
WHERE m.probe = 'figure'
GROUP BY r.name, m.metric, m.better HAVING count(*) > 1
   AND (change > 0.05 AND m.better = 'lower' OR change < -0.05 AND m.better = 'higher')
ORDER BY abs(change) DESC;
