-- Is a rack slow? Read bandwidth by label at the newest runs, against all machines of the kind.
WITH newest AS (SELECT host, max(started) AS started FROM runs WHERE unfit IS NULL GROUP BY host),
fit AS (
    SELECT r.model, r.labels, m.median
    FROM metrics m JOIN newest USING (host, started) JOIN runs r USING (host, started)
    WHERE m.probe = 'figure' AND m.metric = 'read_bandwidth'
), kinds AS (SELECT model, median(median) AS middle FROM fit GROUP BY model)
SELECT model, labels, count(*) AS machines, median(median) / min(middle) - 1 AS against_all
FROM fit JOIN kinds USING (model)
GROUP BY model, labels ORDER BY against_all, labels;
