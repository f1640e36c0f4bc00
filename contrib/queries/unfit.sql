-- Which runs could not be judged, and why?
SELECT name, started, unfit FROM runs WHERE unfit IS NOT NULL ORDER BY name, started;
