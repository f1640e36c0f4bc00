"""Runs every question against two tables; each must be answered: check.py RUNS.csv METRICS.csv (pip install duckdb)."""
import pathlib
import sys

import duckdb

runs, metrics = sys.argv[1:]
database = duckdb.connect()
database.execute(f"CREATE VIEW runs AS FROM read_csv('{runs}', header = true, types = {{'started': 'VARCHAR'}})")
database.execute(f"CREATE VIEW metrics AS FROM read_csv('{metrics}', header = true, types = {{'started': 'VARCHAR'}})")
# What may have no row: nothing unfit, silent or slower is good news.
MAY_BE_EMPTY = {"drift", "settings", "silent", "unfit"}
questions = sorted(pathlib.Path(__file__).parent.glob("*.sql"))
assert len(questions) == 10, questions
for question in questions:
    answer = database.execute(question.read_text()).fetchall()
    print(f"{question.stem}: {len(answer)} rows, the first {answer[:1]}")
    assert answer or question.stem in MAY_BE_EMPTY, question.stem
