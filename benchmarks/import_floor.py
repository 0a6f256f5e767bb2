"""How far the import is from the floor: what no import can do without.

    python -m benchmarks.import_floor --runs 1000

The floor parses the same bytes with orjson, and gives the driver's `executemany` the same rows for the same tables,
with their indexes and the full-text index, in one transaction. It normalises, compresses and checks nothing.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import orjson

from benchmarks.generate import runs
from trace_store import Store
from trace_store.importing import import_paths
from trace_store.store.search import segmented
from trace_store.store.tables import metadata

_PRAGMAS = ("foreign_keys = ON", "synchronous = NORMAL", "temp_store = MEMORY", "cache_size = -65536")
_EMPTY_AT_FIRST = [table.name for table in metadata.sorted_tables if table.name != "migrations"]


def write_runs(path: Path, count: int, messages: int, calls: int, seed: int, first: int = 0) -> None:
    """Writes that many generated runs to `path`, one a line."""
    bodies = runs(count, messages=messages, calls=calls, seed=seed, first=first)
    with path.open("wb") as out:
        out.writelines(orjson.dumps(body) + b"\n" for body in bodies)


def time_import(source: Path, database: Path) -> float:
    """Seconds of an import into a new store, the commit included."""
    with Store.open(f"sqlite:///{database}") as store:
        began = time.perf_counter()
        report = import_paths(store, [source])
        seconds = time.perf_counter() - began
    assert not report.totals["rejected"], report.files[0].rejections[:3]
    return seconds


def rows_of(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the import wrote: the rows of each table, and those of the full-text index."""
    with closing(sqlite3.connect(database)) as connection:
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in _EMPTY_AT_FIRST}
        texts = connection.execute("SELECT key, text FROM texts").fetchall()
    return rows | {"texts_fts": [(key, segmented(text)) for key, text in texts]}


def time_floor(source: Path, database: Path, rows: dict[str, list[tuple[object, ...]]]) -> tuple[float, float]:
    """Seconds to parse the file's lines, and seconds to insert `rows` into a new store and commit."""
    began = time.perf_counter()
    with source.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    parsed = time.perf_counter()
    with Store.open(f"sqlite:///{database}"):
        pass
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        opened = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        for name, values in rows.items():
            columns = "(rowid, text) " if name == "texts_fts" else ""
            if values:
                places = ", ".join("?" * len(values[0]))
                connection.executemany(f"INSERT INTO {name} {columns}VALUES ({places})", values)
        connection.execute("COMMIT")
        written = time.perf_counter()
    return parsed - began, written - opened


def main() -> None:
    """Prints the seconds of the floor and of the import, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=5, help="repetitions; the best counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "runs.jsonl"
        write_runs(source, options.runs, options.messages, options.calls, options.seed)
        size_mb = source.stat().st_size / 1e6
        imports, parses, inserts = [], [], []
        for turn in range(options.times):
            database = folder / f"import-{turn}.db"
            imports.append(time_import(source, database))
            parse, insert = time_floor(source, folder / f"floor-{turn}.db", rows_of(database))
            parses.append(parse)
            inserts.append(insert)
    took, parse, insert = map(min, (imports, parses, inserts))
    print(f"{options.runs:,} runs of {options.messages} messages and {options.calls} calls, {size_mb:.1f} MB")
    print(f"floor   {parse + insert:7.2f} s   parse {parse:.2f} s, insert {insert:.2f} s")
    print(f"import  {took:7.2f} s   {options.runs / took:,.0f} runs/s, {size_mb / took:.1f} MB/s")
    print(f"ratio   {took / (parse + insert):7.2f}     target 1.5, bound 2.5")


if __name__ == "__main__":
    main()
