-- Which series scatter most on each machine?
SELECT r.name, m.probe, m.metric, m.at, m.cv FROM metrics m JOIN runs r USING (host, started)
WHERE m.cv IS NOT NULL QUALIFY row_number() OVER (PARTITION BY r.name ORDER BY m.cv DESC) <= 3
ORDER BY r.name, m.cv DESC;
