"""A fleet of RUNS runs from the tables of a few records: enlarge.py FROM TO RUNS (pip install duckdb).

10,000 machines at most, one run a day each; each machine and run differs by a little, one machine in a thousand is slow, some
have another kernel. The rows of a month are a partition, as `digest --parquet` writes them.
"""
import os
import sys

import duckdb

source, target, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
hosts = min(runs // 10, 10_000)
database = duckdb.connect(config={"threads": 2, "memory_limit": "6GB", "preserve_insertion_order": False})
database.execute(f"""
CREATE TABLE runs AS
SELECT i % {hosts} AS number, i / {runs} AS age, printf('%032x', i % {hosts}) AS id,
       strftime(TIMESTAMP '2026-01-01 03:00:00' + INTERVAL 1 DAY * (i // {hosts}), '%Y-%m-%dT%H:%M:%SZ') AS at_time,
       strftime(TIMESTAMP '2026-01-01' + INTERVAL 1 DAY * (i // {hosts}), '%Y-%m') AS month,
       1 + 0.01 * (hash(i % {hosts}) % 1000 / 500.0 - 1) AS own
FROM range({runs}) t(i)
-- One in two hundred is silent for its last nine days.
WHERE NOT (i % 200 = 7 AND i // {hosts} > {runs // hosts} - 10);
""")
os.makedirs(f"{target}/runs", exist_ok=True)
# The run with most rows, of these the oldest: a digest has figures only.
first = f"""(SELECT (host, started) FROM read_parquet('{source}/metrics/*/*.parquet')
             GROUP BY host, started ORDER BY count(*) DESC, started, host LIMIT 1)"""
copy = "TO '{}/{}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (month), OVERWRITE_OR_IGNORE)"
database.execute(f"""
COPY (SELECT l.id AS host, 'node' || l.number AS name, l.at_time AS started, 'rack=r' || l.number // 40 AS labels,
             r.* EXCLUDE (host, name, started, labels, kernel, unfit, digest, month),
             CASE WHEN l.number % 3 = 0 THEN '5.10' ELSE r.kernel END AS kernel,
             CASE WHEN hash(l.number, l.at_time) % 500 = 0 THEN 'others used 40 % of the CPU' END AS unfit, l.month
      FROM runs l, (FROM read_parquet('{source}/runs/*/*.parquet') WHERE (host, started) = {first} LIMIT 1) r)
""" + copy.format(target, "runs"))
# One row of each series of that run. Month by month, since all rows of a year need not fit into memory.
database.execute(f"""
CREATE TABLE series AS
SELECT m.* EXCLUDE (month), row_number() OVER () AS series FROM read_parquet('{source}/metrics/*/*.parquet') m
WHERE (host, started) = {first}
""")
for (month,) in database.execute("SELECT DISTINCT month FROM runs ORDER BY month").fetchall():
    os.makedirs(f"{target}/metrics/month={month}", exist_ok=True)
    # Figures first, as `digest` writes them; they are what most questions are about.
    for number, which in enumerate(["probe = 'figure'", "probe <> 'figure'"]):
        database.execute(f"""
        COPY (SELECT l.id AS host, l.at_time AS started, probe, case_label, metric, coordinates, unit, better,
                     median * x AS median, low * x AS low, high * x AS high, n, cv * x AS cv, modes
              FROM (SELECT *, own * (1 + 0.005 * (hash(number, at_time, series) % 1000 / 500.0 - 1))
                           * CASE WHEN number % 1000 = 13 AND better = 'lower' THEN 1.2
                                  WHEN number % 1000 = 13 AND better = 'higher' THEN 0.8
                                  WHEN number % 1000 = 29 AND better = 'lower' THEN 1 + 0.1 * age ELSE 1 END AS x
                    FROM runs, series WHERE month = '{month}' AND {which}) l)
        TO '{target}/metrics/month={month}/{number}.parquet' (FORMAT parquet, COMPRESSION zstd)
        """)
rows = database.execute(f"SELECT count(*) FROM read_parquet('{target}/metrics/*/*.parquet')").fetchone()[0]
assert rows, f"{source} has no series of a record"
print(f"{runs} runs, {hosts} machines, {rows} rows of metrics")
