"""Whatever is asked of whatever is stored, the compiled query finds what a plain evaluation of the rules finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine

from tests.store.query.naive import Node, find, written
from tests.store.query.world import Call, Run, matching_calls, matching_findings, matching_runs, put

MOMENTS = [None, 1_775_001_599_999_999, 1_775_001_600_000_000, 1_775_034_000_000_000, 1_777_600_000_000_000]
DATES = ["2026-03-31", "2026-04", "2026-04-01", "2026-04-01T09", "2026-04-01T09:00", "2026-05-01T01:46:40"]
SAID = ["", "refund", "refund issued", "issued refunds", "order"]


def columns(**options: list[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in options.items()})


call_rows = st.builds(
    Call,
    columns(
        error_class=[None, "a", "ab", "a*[b]"], source=[None, "odyssey", "injected"], outcome=["ok", "failed"],
        tool_name=[None, "get_x", "put_x"], actor_id=[None, "sup", "sup/a", "sup/a/b", "supper"], attempt=[1, 2],
        latency_ms=[None, 0, 99.5, 500], status_code=[None, 200, 503], retryable=[0, 1],
        envelope_class=[None, "policy"], started_us=MOMENTS,
    ),
    st.sampled_from(SAID),
)  # fmt: skip
finding_rows = columns(
    kind=["call_failed", "agent_retry"], severity=["error", "info"], message=["a refund", "an order"]
)
run_rows = st.builds(
    Run,
    st.just(""),
    columns(
        status=[None, "completed", "failed"], judge_passed=[None, 0, 1], failed=[0, 1], view=["rich", "thin"],
        failures=[0, 1, 7], started_us=MOMENTS, input_tokens=[None, 10], output_tokens=[None, 0, 5],
        envelope_class=[None, "policy", "timeout"],
    ),
    st.lists(call_rows, max_size=3),
    st.lists(finding_rows, max_size=2),
    st.none() | columns(verdict=[None, "pass", "fail"], failure_mode=[None, "wrong"], digest=[b"now", b"then"]),
)  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> list[Run]:
    world = draw(st.lists(run_rows, min_size=1, max_size=4))
    for number, run in enumerate(world):
        run.run_id = f"run-{number}"
        run.said = draw(st.sampled_from(SAID))
        if run.review:
            run.tags = draw(st.lists(st.sampled_from(["seen", "hard"]), unique=True))
    return world


def terms(field: str, values: list[str]) -> st.SearchStrategy[Node]:
    chosen = st.lists(st.sampled_from(values), min_size=1, max_size=2)
    return st.tuples(st.just("term"), st.just(field), st.just(":"), chosen)


def comparisons(field: str, values: list[str]) -> st.SearchStrategy[Node]:
    operator = st.sampled_from([":", ">", ">=", "<", "<="])
    return st.tuples(st.just("term"), st.just(field), operator, st.sampled_from(values).map(lambda value: [value]))


call_terms = st.one_of(
    terms("error_class", ["a", "ab", "a*", "*b", '"a*[b]"', '"a*"*', "*[b]", "none", "*"]),
    terms("source", ["odyssey", "injected", "none", "*"]),
    terms("tool", ["get_x", "get_*", "*_x", "none"]),
    terms("actor", ["sup", "sup/**", "sup/a/**", "s*/**", "none", "*"]),
    terms("outcome", ["ok", "failed", "f*"]),
    terms("retryable", ["true", "false"]),
    comparisons("latency_ms", ["0", "99.5", "500", "1e3"]),
    terms("latency_ms", ["none", "*", "500"]),
    comparisons("status", ["200", "400"]),
    comparisons("attempt", ["1", "1.5"]),
)
run_terms = st.one_of(
    terms("run", ["run-0", "run-*", '"run-1"']),
    terms("run_status", ["completed", "fail*", "none"]),
    terms("verdict", ["passed", "failed", "none", "*"]),
    terms("failed", ["true", "false"]),
    terms("view", ["thin", "r*"]),
    comparisons("failures", ["0", "1", "-1"]),
    comparisons("tokens", ["0", "10", "15"]),
    terms("tokens", ["none"]),
    terms("envelope_class", ["policy", "time*", "none", "*"]),
    terms("finding", ["call_failed", "agent_retry", "*_retry", "none", "*"]),
    terms("severity", ["error", "info", "none"]),
    terms("reviewed", ["true", "false"]),
    terms("review", ["pass", "fail", "stale", "none", "*"]),
    terms("failure_mode", ["wrong", "none"]),
    terms("tag", ["seen", "hard", "none", "*"]),
    comparisons("started", DATES),
    terms("started", ["none", "*"]),
)
words = st.sampled_from(["refund", '"refund issued"', "refund*", "order"]).map(lambda text: ("words", text))


def groups(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    negations = inner.filter(lambda node: node[0] != "not").map(lambda node: ("not", node))
    together = st.lists(inner | negations, min_size=1, max_size=3).map(lambda nodes: ("and", nodes))
    return together | st.lists(together, min_size=2, max_size=2).map(lambda sides: ("or", sides))


# Call terms twice: how they come together is what matters most.
queries = groups(st.recursive(call_terms | call_terms | run_terms | words, groups, max_leaves=6))

ASK: dict[str, Callable[[Connection, str], list[Any]]] = {
    "runs": matching_runs,
    "calls": matching_calls,
    "findings": matching_findings,
}


@given(world=worlds(), query=queries)
@example(
    world=[Run("run-0", calls=[Call({"error_class": "a", "source": None})])],
    query=("and", [("term", "error_class", ":", ["a"]), ("not", ("term", "source", ":", ["odyssey"]))]),
)
def test_a_compiled_query_finds_what_the_rules_say(engine: Engine, world: list[Run], query: Node) -> None:
    text = written(query)
    with engine.connect() as connection, connection.begin() as transaction:
        put(connection, *world)
        found = {listed: ask(connection, text) for listed, ask in ASK.items()}
        transaction.rollback()
    assert found == {listed: find(query, world, listed) for listed in ASK}, text
