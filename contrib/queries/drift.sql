-- Which machines became slower from their first fit run to their last, by over 5 %?
WITH ends AS (
    SELECT host, metric, better, max_by(median, started) / min_by(median, started) - 1 AS change
    FROM metrics JOIN (SELECT host, started FROM runs WHERE unfit IS NULL) USING (host, started)
    WHERE probe = 'figure'
    GROUP BY host, metric, better HAVING count(*) > 1
), names AS (SELECT host, max_by(name, started) AS name FROM runs GROUP BY host)
SELECT name, metric, change FROM ends JOIN names USING (host)
WHERE change > 0.05 AND better = 'lower' OR change < -0.05 AND better = 'higher'
ORDER BY abs(change) DESC, name;
