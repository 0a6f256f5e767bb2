"""How far the import is from the floor: what no import can do without.

    python -m benchmarks.import_floor --runs 1000 --shares

The floor parses the same bytes with orjson, and gives the driver's `executemany` the same rows for the same tables,
with their indexes and the full-text index, in one transaction and with its commit, on the same connection as the
import's. It normalises, compresses and checks nothing.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import orjson

from benchmarks.generate import runs
from benchmarks.import_shares import shares_of
from benchmarks.stopwatch import Elapsed, best, stopwatch
from trace_store import Store, import_paths
from trace_store.store.connection import Database, driver_connection
from trace_store.store.query.full_text import segmented
from trace_store.store.schema.tables import metadata

_EMPTY_AT_FIRST = [table.name for table in metadata.sorted_tables if table.name != "migrations"]

Rows = dict[str, list[tuple[object, ...]]]


def write_runs(path: Path, count: int, messages: int, calls: int, seed: int, first: int = 0) -> None:
    """Write that many generated runs to `path`, one a line."""
    bodies = runs(count, messages=messages, calls=calls, seed=seed, first=first)
    with path.open("wb") as out:
        out.writelines(orjson.dumps(body) + b"\n" for body in bodies)


def time_import(source: Path, database: Path, workers: int | None = None) -> Elapsed:
    """Return what an import into a new store takes, the commit included. `workers`: as of `import_paths`."""
    with Store.open(f"sqlite:///{database}") as store, stopwatch() as elapsed:
        report = import_paths(store, [source], workers=workers)
    assert not report.totals["rejected"], report.files[0].rejections[:3]
    return elapsed


def rows_of(database: Path) -> Rows:
    """Return what the import wrote: the rows of each table, and those of the full-text index."""
    with closing(sqlite3.connect(database)) as connection:
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in _EMPTY_AT_FIRST}
        texts = connection.execute("SELECT key, text FROM texts").fetchall()
    return rows | {"texts_fts": [(key, segmented(text)) for key, text in texts]}


def time_parsing(source: Path) -> Elapsed:
    """Return what it takes to parse the file's lines."""
    with stopwatch() as elapsed, source.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    return elapsed


def time_inserting(rows: Rows, database: Path) -> Elapsed:
    """Return what it takes to insert `rows` into a new store, and to commit."""
    url = f"sqlite:///{database}"
    Store.open(url).close()
    with closing(Database(url, wait_s=0)) as opened, stopwatch() as elapsed, opened.write() as connection:
        for name, values in rows.items():
            columns = "(rowid, text) " if name == "texts_fts" else ""
            if values:
                places = ", ".join("?" * len(values[0]))
                statement = f"INSERT INTO {name} {columns}VALUES ({places})"
                driver_connection(connection).executemany(statement, values)
    return elapsed


def main() -> None:
    """Print the seconds of the floor and of the import, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=5, help="repetitions; the best counts")
    parser.add_argument("--workers", type=int, help="of a large file; else as many as there are cores for")
    parser.add_argument("--shares", action="store_true", help="also what each chapter of the import takes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "runs.jsonl"
        write_runs(source, options.runs, options.messages, options.calls, options.seed)
        imports, parses, inserts, shares = [], [], [], []
        for turn in range(options.times):
            database = folder / f"import-{turn}.db"
            imports.append(time_import(source, database, options.workers))
            parses.append(time_parsing(source))
            inserts.append(time_inserting(rows_of(database), folder / f"floor-{turn}.db"))
            if options.shares:
                shares.append(shares_of(source, folder / f"shares-{turn}.db"))
            for written in folder.glob("*.db*"):
                written.unlink()
        size_mb = source.stat().st_size / 1e6
    elapsed, parse, insert = map(best, (imports, parses, inserts))
    floor = parse + insert
    print(f"{options.runs:,} runs of {options.messages} messages and {options.calls} calls, {size_mb:.1f} MB")
    print("              processor     wall")
    print(f"parse         {parse.cpu_s:7.2f} s {parse.wall_s:7.2f} s")
    print(f"insert        {insert.cpu_s:7.2f} s {insert.wall_s:7.2f} s")
    print(f"import        {elapsed.cpu_s:7.2f} s {elapsed.wall_s:7.2f} s   {options.runs / elapsed.wall_s:,.0f} runs/s")
    print(f"import/floor  {elapsed.cpu_s / floor.cpu_s:7.2f}   {elapsed.wall_s / floor.wall_s:7.2f}")
    for chapter in shares[0] if shares else ():
        seconds = min(each[chapter] for each in shares)
        print(f"  {seconds:7.3f} s {seconds / sum(shares[0].values()):6.1%}  {chapter}")


if __name__ == "__main__":
    main()
