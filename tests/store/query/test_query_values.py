"""How written values are read: numbers, dates, wildcards against a closed set."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from tests.store.query.world import Run, matching_runs, put
from trace_store.store.query import parse
from trace_store.store.query.tree import Group, OneOf, Pattern, Span, Subtree, Term, Value

NOW = datetime(2026, 4, 8, 12, tzinfo=UTC)


def value(text: str) -> Value:
    root = parse(text, now=NOW).root
    assert isinstance(root, Group)
    (term,) = root.operands
    assert isinstance(term, Term)
    (only,) = term.values
    return only


def micros(*moment: int) -> int:
    return int(datetime(*moment, tzinfo=UTC).timestamp()) * 1_000_000  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("written", "start_us", "end_us"),
    [
        ("2026", micros(2026, 1, 1), micros(2027, 1, 1)),
        ("2024", micros(2024, 1, 1), micros(2025, 1, 1)),
        ("2024-02", micros(2024, 2, 1), micros(2024, 3, 1)),
        ("2026-12", micros(2026, 12, 1), micros(2027, 1, 1)),
        ("2026-04-01", micros(2026, 4, 1), micros(2026, 4, 2)),
        ("2026-04-01T09", micros(2026, 4, 1, 9), micros(2026, 4, 1, 10)),
        ("2026-04-01T09:30", micros(2026, 4, 1, 9, 30), micros(2026, 4, 1, 9, 31)),
        ('"2026-04-01 09:30"', micros(2026, 4, 1, 9, 30), micros(2026, 4, 1, 9, 31)),
        ("2026-04-01T09:30:05Z", micros(2026, 4, 1, 9, 30, 5), micros(2026, 4, 1, 9, 30, 6)),
        ("2026-04-01T09:30:05.25", micros(2026, 4, 1, 9, 30, 5) + 250_000, micros(2026, 4, 1, 9, 30, 5) + 260_000),
        ("2026-04-01T09:30+02:00", micros(2026, 4, 1, 7, 30), micros(2026, 4, 1, 7, 31)),
        ("2026-04-01T23-0130", micros(2026, 4, 2, 0) + 1_800_000_000, micros(2026, 4, 2, 1) + 1_800_000_000),
        ("9999-12-31", micros(9999, 12, 31), micros(9999, 12, 31) + 86_400_000_000),
    ],
)
def test_a_date_is_as_long_as_it_is_coarse(written: str, start_us: int, end_us: int) -> None:
    assert value(f"started:{written}") == Span(start_us, end_us)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("-30m", micros(2026, 4, 8, 11, 30)),
        ("-12h", micros(2026, 4, 8)),
        ("-7d", micros(2026, 4, 1, 12)),
        ("-2w", micros(2026, 3, 25, 12)),
    ],
)
def test_a_relative_time_is_an_instant(written: str, moment: int) -> None:
    assert value(f"imported>{written}") == Span(moment, moment)


def test_before_in_and_after_a_date_share_nothing_and_leave_nothing_out(connection: Connection) -> None:
    moments = {
        "before": micros(2026, 4, 1) - 1, "first": micros(2026, 4, 1), "last": micros(2026, 4, 2) - 1,
        "after": micros(2026, 4, 2),
    }  # fmt: skip
    put(connection, *(Run(name, {"started_us": moment}) for name, moment in moments.items()))
    assert matching_runs(connection, "started<2026-04-01") == ["before"]
    assert matching_runs(connection, "started:2026-04-01") == ["first", "last"]
    assert matching_runs(connection, "started>2026-04-01") == ["after"]
    assert matching_runs(connection, "started<=2026-04-01") == ["before", "first", "last"]
    assert matching_runs(connection, "started>=2026-04-01") == ["first", "last", "after"]


def test_numbers_keep_what_they_say() -> None:
    assert value("status:404") == OneOf((404,))
    assert value("latency_ms>-1.5") == OneOf((-1.5,))
    assert value("latency_ms>.5e3") == OneOf((500.0,))
    assert value(f"tokens<{2**70}") == OneOf((float(2**70),))


def test_wildcards_against_a_closed_set_become_its_values() -> None:
    assert value("chain:*_up,".rstrip(",")) == OneOf(("gave_up",))
    assert value("actor_status:un*") == OneOf(("undeclared", "unchecked", "unattributed"))
    assert value("verdict:p*") == OneOf((1,))


def test_wildcards_in_text_keep_the_parts_between_them() -> None:
    assert value("tool:get_*_by*") == Pattern(("get_", "_by", ""))
    assert value('scenario:"Refund * "*') == Pattern(("Refund * ", ""))
    assert value("actor:a/b/**") == Subtree(Pattern(("a/b",)))
    assert value("actor:a*/**") == Subtree(Pattern(("a", "")))
    # Only actors are a tree.
    assert value("file:a/**") == Pattern(("a/", "", ""))
