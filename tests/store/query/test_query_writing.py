"""How facets write into the query text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from tests.store.query.naive import Node, written
from tests.store.query.test_query_agrees import queries
from tests.store.query.world import Run, matching_runs, put
from trace_store.errors import QueryError
from trace_store.store.query import parse
from trace_store.store.query.editing import (
    add_query,
    add_value,
    clear_field,
    has_value,
    quote,
    remove_value,
    term,
    toggle_value,
)
from trace_store.store.query.tree import Group, OneOf, Term


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("run_token_expired", "run_token_expired"),
        ("supervisor/refund_agent", "supervisor/refund_agent"),
        ("-7", "-7"),
        ("a:b>c", "a:b>c"),
        ("back\\slash", "back\\slash"),
        ("get order", '"get order"'),
        ("a,b", '"a,b"'),
        ("get_*", '"get_*"'),
        ("f(x)", '"f(x)"'),
        ('say "x"', '"say \\"x\\""'),
        ("back\\ slash", '"back\\\\ slash"'),
        ("none", '"none"'),
        ("'quoted'", "\"'quoted'\""),
        ("", '""'),
        ("a\0b", '"a\\u0000b"'),
        ("two\nlines", '"two\\u000alines"'),
        ("next\x85\u2028", '"next\\u0085\\u2028"'),
        ("\\u0041\n", '"\\\\u0041\\u000a"'),
    ],
)
def test_a_value_is_quoted_where_it_would_read_as_something_else(value: str, text: str) -> None:
    assert quote(value) == text


IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
"""Texts, with what a search bar drops or no line holds among them."""


@given(IDS | st.text("\0\n\\\"u0a *,()'", max_size=8))
def test_what_is_written_reads_back_as_the_same_value(value: str) -> None:
    assert not set("\0\r\n\x85\u2028") & set(quote(value))
    root = parse(f"failed:true {term('tool', value)} -source:x").root
    assert isinstance(root, Group) and isinstance(root.operands[1], Term)
    assert root.operands[1].values == (OneOf((value,)),)


@given(ids=st.lists(IDS | st.text("\0\na", max_size=4), min_size=1, max_size=5, unique=True))
def test_a_term_of_an_id_finds_exactly_that_run(engine: Engine, ids: list[str]) -> None:
    with engine.connect() as connection, connection.begin() as transaction:
        put(connection, *map(Run, ids))
        found = [matching_runs(connection, term("run", run_id)) for run_id in ids]
        transaction.rollback()
    assert found == [[run_id] for run_id in ids]


def test_a_first_value_becomes_a_term_and_more_join_it() -> None:
    text = add_value("", "tool", "get_order")
    assert text == "tool:get_order"
    text = add_value(text, "outcome", "failed")
    assert text == "tool:get_order outcome:failed"
    text = add_value(text, "tool", "list order")
    assert text == 'tool:get_order,"list order" outcome:failed'
    assert add_value(text, "tool", "get_order") == text
    assert add_value(text, "source", None) == f"{text} source:none"
    assert add_value("status:404", "status", 503) == "status:404,503"


def test_exclusions_are_terms_of_their_own() -> None:
    text = add_value("source:odyssey", "source", "injected", negated=True)
    assert text == "source:odyssey -source:injected"
    assert add_value(text, "source", None, negated=True) == "source:odyssey -source:injected,none"
    assert remove_value(text, "source", "injected") == text
    assert remove_value(text, "source", "injected", negated=True) == "source:odyssey"


def test_the_rest_of_the_text_stays_as_it_was() -> None:
    text = '  "refund  issued"   tool:a,"b c",d   (source:x  OR failed:true) latency_ms>5 '
    assert add_value(text, "tool", "e") == text.replace('"b c",d', '"b c",d,e')
    assert remove_value(text, "tool", "b c") == text.replace(',"b c"', "")
    assert remove_value(text, "tool", "a") == text.replace("a,", "")
    assert remove_value(text, "source", "x") == text
    assert remove_value('"refund  issued" tool:a  (failed:true)', "tool", "a") == '"refund  issued" (failed:true)'


def test_a_comparison_is_no_value() -> None:
    assert add_value("latency_ms>5", "latency_ms", 5) == "latency_ms>5 latency_ms:5"
    assert remove_value("latency_ms>5", "latency_ms", 5) == "latency_ms>5"
    assert clear_field("a -latency_ms:none latency_ms>5 tool:x latency_ms<9", "latency_ms") == "a tool:x"


def test_an_or_is_put_in_parentheses_first() -> None:
    assert add_value("tool:a OR tool:b", "failed", "true") == "(tool:a OR tool:b) failed:true"
    assert add_query("tool:a", "latency_ms>5 OR failed:true") == "tool:a (latency_ms>5 OR failed:true)"
    assert add_query("", "latency_ms>5") == "latency_ms>5"
    assert add_query(" tool:a ", "") == "tool:a"


def test_a_value_is_the_same_however_it_was_written() -> None:
    assert has_value('outcome:"failed"', "outcome", "failed")
    assert has_value("status:4.04e2", "status", 404)
    assert has_value("source:none", "source", None)
    assert not has_value('source:"none"', "source", None)
    assert not has_value("tool:get_*", "tool", "get_order")
    assert not has_value("(tool:a)", "tool", "a")
    assert not has_value("tool:a OR tool:b", "tool", "a")
    assert not has_value("-tool:a", "tool", "a")


@given(queries, st.sampled_from(["get_x", "a b", None]), st.booleans())
def test_toggling_twice_means_the_same_as_before(query: Node, value: str | None, negated: bool) -> None:
    text = written(query)
    once = toggle_value(text, "tool", value, negated=negated)
    assert has_value(once, "tool", value, negated=negated) != has_value(text, "tool", value, negated=negated)
    again = toggle_value(once, "tool", value, negated=negated)
    assert has_value(again, "tool", value, negated=negated) == has_value(text, "tool", value, negated=negated)


def test_what_means_nothing_is_refused_and_not_written_into() -> None:
    with pytest.raises(QueryError):
        add_value("tool:", "outcome", "failed")
    with pytest.raises(QueryError):
        add_value("", "outcome", "faild")
    with pytest.raises(QueryError):
        toggle_value("", "no_field", "x")
