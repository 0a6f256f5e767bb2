"""Who acted over many runs: labels with their status and figures, and the tree that their call paths make (R28-R31).

Each run has counted its own actors, so that a query about runs adds up those rows, and no call is looked at; a query
about calls counts the calls that it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, case, func, literal_column, null, select

from trace_store.contract.actors import is_label
from trace_store.store.connection import Queries
from trace_store.store.figures.statistics import frame
from trace_store.store.query.compiling import Condition, belongs_to_run, condition_of, mentions, source_of, where
from trace_store.store.schema.tables import actors as actors_table
from trace_store.store.schema.tables import calls, runs

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "path", "parent", "depth", "status", "calls", "failed", "subtree_calls", "subtree_failed", "runs", "silent",
    "suggestion", "first_run",
)  # fmt: skip

_STRUCTURAL = "structural"


@dataclass(slots=True)
class _Node:
    """A label or a mere prefix of labels: a row for each status it has, and the nodes below."""

    path: str | None
    parent: str | None
    rows: list[Any] = field(default_factory=list)
    below: list[_Node] = field(default_factory=list)
    calls: int = 0
    failed: int = 0


def actors(self: Queries, query: str = "") -> pd.DataFrame:
    """Return the actors of what the query finds as a tree in preorder, siblings with the most calls below them first.

    By COLUMNS, a row for each status that a label has (several where runs declare differently), and one for each mere
    prefix, with the status `structural`. `path` is null for unattributed calls; `calls` and `failed` are the label's
    own in that status, `subtree_` ones are those of the path and all below it; `runs` are those in which it acted,
    `silent` those that declare it without a call of it or of any below, which only a query about runs can tell;
    `first_run` is the first imported in which it acted. Raises QueryError."""
    condition = condition_of(query, "calls")
    by_calls = mentions(condition, calls)
    labels = (_count_calls(condition) if by_calls else _sum_runs(condition)).subquery()
    statement = select(labels, runs.c.run_id).select_from(labels.outerjoin(runs, runs.c.key == labels.c.first_key))
    with self.database.read() as connection:
        # Runs have stored the suggestions of their labels, calls have none.
        rows = connection.execute(_suggestions()).all() if by_calls else []
        suggestions = {row.path: row.suggestion for row in rows}
        return frame(list(_walk(_build_tree(connection.execute(statement)), suggestions)), COLUMNS)


def _sum_runs(condition: Condition | None) -> Select[Any]:
    """Add up what each run has counted, by status and label."""
    acted = actors_table.c.calls > 0
    statement = select(
        actors_table.c.status,
        actors_table.c.path,
        func.sum(actors_table.c.calls).label("calls"),
        func.sum(actors_table.c.failed).label("failed"),
        func.count().filter(acted).label("runs"),
        func.sum(actors_table.c.silent).label("silent"),
        func.min(actors_table.c.suggestion).label("suggestion"),
        func.min(case((acted, actors_table.c.run_key))).label("first_key"),
    )
    source = actors_table if condition is None else actors_table.join(runs, belongs_to_run(actors_table))
    statement = where(statement.select_from(source), condition)
    return statement.where(actors_table.c.status != _STRUCTURAL).group_by(actors_table.c.status, actors_table.c.path)


def _count_calls(condition: Condition | None) -> Select[Any]:
    statement = select(
        calls.c.actor_status.label("status"),
        calls.c.actor_id.label("path"),
        func.count().label("calls"),
        func.sum(calls.c.failed).label("failed"),
        func.count(calls.c.run_key.distinct()).label("runs"),
        literal_column("0").label("silent"),
        null().label("suggestion"),
        func.min(calls.c.run_key).label("first_key"),
    ).select_from(source_of("calls", condition))
    return where(statement, condition).group_by(calls.c.actor_status, calls.c.actor_id)


def _suggestions() -> Select[Any]:
    undeclared = select(actors_table.c.path, func.min(actors_table.c.suggestion).label("suggestion")).where(
        actors_table.c.status == "undeclared"
    )
    return undeclared.group_by(actors_table.c.path)


def _build_tree(rows: Iterable[Any]) -> list[_Node]:
    """Return the roots, with everything below them and its figures."""
    nodes: dict[str | None, _Node] = {}
    roots: list[_Node] = []
    for row in rows:
        node = _add_node(row.path, nodes, roots)
        node.rows.append(row)
        up: _Node | None = node
        while up is not None:
            up.calls += row.calls
            up.failed += row.failed
            up = nodes[up.parent] if up.parent is not None else None
    return roots


def _add_node(path: str | None, nodes: dict[str | None, _Node], roots: list[_Node]) -> _Node:
    """Return the node of a label, made with its prefixes if need be. A malformed label is a root of its own (R31)."""
    if path in nodes:
        return nodes[path]
    parent = path.rpartition("/")[0] or None if path is not None and is_label(path) else None
    node = nodes[path] = _Node(path, parent)
    (roots if parent is None else _add_node(parent, nodes, roots).below).append(node)
    return node


def _walk(roots: list[_Node], suggestions: dict[str | None, str | None]) -> Iterator[list[object]]:
    """Yield the rows of the table, in the order of the tree."""
    waiting = [(0, node) for node in _lightest_first(roots)]
    while waiting:
        depth, node = waiting.pop()
        identity = [node.path, node.parent, depth]
        below = [node.calls, node.failed]
        if not node.rows:
            yield [*identity, _STRUCTURAL, 0, 0, *below, 0, 0, None, None]
        for row in sorted(node.rows, key=lambda row: (-row.calls, row.status)):
            suggestion = row.suggestion or (suggestions.get(node.path) if row.status == "undeclared" else None)
            yield [
                *identity, row.status, row.calls, row.failed, *below, row.runs, row.silent, suggestion, row.run_id,
            ]  # fmt: skip
        waiting += [(depth + 1, child) for child in _lightest_first(node.below)]


def _lightest_first(nodes: list[_Node]) -> list[_Node]:
    """Sort nodes by their calls. The largest come last, because they are taken from the end."""
    return sorted(nodes, key=lambda node: (-node.calls, node.path or ""))[::-1]
