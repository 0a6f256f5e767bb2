"""A small store for queries: rows with sensible defaults, and a connection to ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    REAL,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    Select,
    StaticPool,
    Table,
    create_engine,
    event,
    insert,
    select,
    text,
)

from trace_store.store.connection import add_functions
from trace_store.store.query import compile_query, parse
from trace_store.store.schema.tables import (
    CALL_SHIFT,
    FULL_TEXT,
    OUTSIDE_CALLS,
    RUN_SHIFT,
    calls,
    findings,
    imports,
    metadata,
    review_tags,
    reviews,
    runs,
    texts,
)

DEFAULTS: dict[str, object] = {
    "lane": "tool",
    "actor_status": "unchecked",
    "outcome": "ok",
    "chain_outcome": "succeeded",
    "attempt": 1,
    "view": "rich",
    "format": "run-body",
    "import_id": 1,
    "digest": b"now",
    "severity": "info",
}


@dataclass
class Call:
    """A call row by its columns, and the text it carries."""

    columns: dict[str, Any] = field(default_factory=dict)
    said: str = ""


@dataclass
class Run:
    """A run row by its columns, with all that goes with it."""

    run_id: str
    columns: dict[str, Any] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    review: dict[str, Any] | None = None
    tags: list[str] = field(default_factory=list)
    said: str = ""


def empty_store() -> Engine:
    """An in-memory database with the newest schema; the caller disposes of it."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    event.listen(engine, "connect", lambda connection, _: add_functions(connection))
    with engine.begin() as connection:
        metadata.create_all(connection)
        for statement in FULL_TEXT:
            connection.execute(text(statement))
    return engine


def put(connection: Connection, *world: Run) -> None:
    """Writes the runs, the first with key 1."""
    connection.execute(insert(imports), [_row(imports, id=1)])
    for key, run in enumerate(world, 1):
        connection.execute(insert(runs), [_row(runs, **{"key": key, "run_id": run.run_id} | run.columns)])
        for sequence, call in enumerate(run.calls):
            place = {"run_key": key, "sequence": sequence}
            connection.execute(insert(calls), [_row(calls, **place | call.columns)])
            _say(connection, (key << RUN_SHIFT) + (sequence << CALL_SHIFT), call.said)
        for position, finding in enumerate(run.findings):
            connection.execute(insert(findings), [_row(findings, run_key=key, position=position, **finding)])
        if run.review is not None:
            connection.execute(insert(reviews), [_row(reviews, run_id=run.run_id, **run.review)])
        for tag in run.tags:
            connection.execute(insert(review_tags), [{"run_id": run.run_id, "tag": tag}])
        _say(connection, (key << RUN_SHIFT) + OUTSIDE_CALLS, run.said)


def matching_runs(connection: Connection, query: str) -> list[str]:
    """The ids of the runs that the query finds, in order of their keys."""
    condition = compile_query(parse(query), "runs")
    return list(connection.scalars(select(runs.c.run_id).where(condition).order_by(runs.c.key)))


def matching_calls(connection: Connection, query: str) -> list[tuple[str, int]]:
    """Run id and sequence of the calls that the query finds."""
    rows = select(runs.c.run_id, calls.c.sequence).select_from(calls.join(runs))
    found = rows.where(compile_query(parse(query), "calls")).order_by(calls.c.run_key, calls.c.sequence)
    return [(row[0], row[1]) for row in connection.execute(found)]


def matching_findings(connection: Connection, query: str) -> list[tuple[str, int]]:
    """Run id and position of the findings that the query finds."""
    rows = select(runs.c.run_id, findings.c.position).select_from(findings.join(runs))
    found = rows.where(compile_query(parse(query), "findings")).order_by(findings.c.run_key, findings.c.position)
    return [(row[0], row[1]) for row in connection.execute(found)]


def plan_of(connection: Connection, table: Table, condition: ColumnElement[bool]) -> str:
    """SQLite's plan for counting the rows of `table` (joined with its runs) under the condition."""
    rows = table if table is runs else table.join(runs)
    return explained(connection, select(text("count(*)")).select_from(rows).where(condition))


def explained(connection: Connection, statement: Select[Any]) -> str:
    """SQLite's plan for a statement, one step a line."""
    compiled = statement.compile(dialect=connection.dialect, compile_kwargs={"render_postcompile": True})
    values = tuple(compiled.params[name] for name in compiled.positiontup or ())
    found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values)
    return "\n".join(str(row[3]) for row in found)


def _say(connection: Connection, key: int, said: str) -> None:
    if said:
        connection.execute(insert(texts), [_row(texts, key=key, text=said)])
        connection.execute(text("INSERT INTO texts_fts(rowid, text) VALUES (:key, :said)"), {"key": key, "said": said})


def _row(table: Table, **values: object) -> dict[str, object]:
    row: dict[str, object] = {}
    for column in table.columns:
        if column.computed is not None:
            continue
        if column.name in values:
            row[column.name] = values[column.name]
        elif column.nullable:
            row[column.name] = None
        else:
            row[column.name] = DEFAULTS.get(column.name, _blank(column.type))
    return row


def _blank(kind: object) -> object:
    if isinstance(kind, Integer | REAL):
        return 0
    return b"" if isinstance(kind, LargeBinary) else ""
