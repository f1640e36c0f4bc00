"""Asks every question of the tables in a folder: check.py FOLDER [duckdb|spark|both] [SECONDS] (pip install duckdb pyspark).

Each must be answered, in at most SECONDS with two CPUs; with `both` the answers must be the same.
"""
import atexit
import pathlib
import sys
import time

folder = sys.argv[1]
engine = sys.argv[2] if len(sys.argv) > 2 else "duckdb"
most = float(sys.argv[3]) if len(sys.argv) > 3 else float("inf")


def duckdb_engine():
    import duckdb

    database = duckdb.connect(config={"threads": 2})
    for table in ("runs", "metrics"):
        database.execute(f"CREATE VIEW {table} AS FROM read_parquet('{folder}/{table}/*/*.parquet', hive_types_autocast = false)")
    return lambda text: database.execute(text).fetchall()


def spark_engine():
    from pyspark.sql import SparkSession

    # Two workers with a CPU each, as on a cluster: data goes from process to process.
    session = (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .config("spark.driver.memory", "2g").config("spark.executor.memory", "2g")
        .config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false")
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8").getOrCreate()
    )
    for table in ("runs", "metrics"):
        session.read.parquet(f"{folder}/{table}").createOrReplaceTempView(table)
    # Else the executors start again and again while Python ends.
    atexit.register(session.stop)
    return lambda text: [tuple(row) for row in session.sql(text.strip().rstrip(";")).collect()]


def alike(rows):
    """Rows as text, numbers to nine digits, for the order of a sum differs from engine to engine."""
    return sorted(str([f"{x:.9g}" if isinstance(x, float) else x for x in row]) for row in rows)


names = ["duckdb", "spark"] if engine == "both" else [engine]
engines = {name: {"duckdb": duckdb_engine, "spark": spark_engine}[name]() for name in names}
questions = sorted(pathlib.Path(__file__).parent.glob("*.sql"))
assert len(questions) == 10, questions
for question in questions:
    answers = {}
    for name, ask in engines.items():
        began, cpu = time.monotonic(), time.process_time()
        answers[name] = ask(question.read_text())
        took, cpu = time.monotonic() - began, time.process_time() - cpu
        # Spark computes in other processes.
        spent = f", {cpu:.1f} s of CPU" if name == "duckdb" else ""
        print(f"{question.stem}, {name}: {len(answers[name])} rows in {took:.1f} s{spent}, the first {answers[name][:1]}")
        assert name != "duckdb" or took <= most, f"{question.stem} took {took:.1f} s, and {most} are allowed"
    first, *others = (alike(rows) for rows in answers.values())
    assert first, f"{question.stem} has no answer: enlarge.py plants one"
    assert all(first == other for other in others), f"{question.stem}: the engines differ"
