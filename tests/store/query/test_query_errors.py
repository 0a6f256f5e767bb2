"""What cannot be understood is refused where it stands, with what was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from tests.store.query.world import matching_calls, matching_findings, matching_runs
from trace_store.errors import QueryError
from trace_store.store.query import parse
from trace_store.store.query.parsing import DEEPEST, LONGEST_QUERY, MOST_CONDITIONS


def refused(text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "position", "message", "hint"),
    [
        # A field or a value that is not there.
        ("failed:true erorr_class:x", 12, "there is no field “erorr_class”", "did you mean error_class?"),
        ("tool_name:x", 0, "there is no field “tool_name”", "did you mean tool?"),
        ("latency>5", 0, "there is no field “latency”", "did you mean latency_ms?"),
        ("Outcome:ok", 0, "there is no field “Outcome”", "did you mean outcome?"),
        ("http://x.y/z", 0, "there is no field “http”", 'quote it: "http://x.y/z"'),
        ("outcome:ok,faild", 11, "outcome has no value “faild”", "did you mean failed?"),
        ("outcome:Failed", 8, "outcome has no value “Failed”", "did you mean failed?"),
        ("verdict:pass", 8, "verdict has no value “pass”", "did you mean passed?"),
        ("actor_status:x*", 13, "actor_status has no value “x*”", "declared, undeclared, unchecked"),
        ("finding:call_faild", 8, "finding has no value “call_faild”", "did you mean call_failed?"),
        ("finding:zzz", 8, "finding has no value “zzz”", "for example finding:call_without_receipt"),
        ("failed:yes", 7, "failed has no value “yes”", "failed is true or false"),
        ("reviewed:no", 9, "reviewed has no value “no”", "reviewed is true or false"),
        ("view:none", 5, "view is never none: it is rich or thin", None),
        ("calls:none", 6, "calls is never none", None),
        # Operators.
        ("latency_ms > 500", 11, "a lone >", "did you mean latency_ms>500?"),
        ("latency_ms >500", 11, "a lone >500", "did you mean latency_ms>500?"),
        ("latency_ms>", 11, "a value is missing after latency_ms>", "for example latency_ms>500"),
        ("latency_ms> 500", 11, "a value is missing after latency_ms>", "no spaces around >"),
        ("tool: x", 5, "a value is missing after tool:", "for example tool:get_*"),
        ("latency_ms:>500", 11, "latency_ms: takes a number, not “>500”", "did you mean latency_ms>500?"),
        ("latency_ms>5,6", 12, "a comparison takes one value", None),
        ("tool>5", 4, "tool has no order to compare by", "did you mean tool:…?"),
        ("status=404", 6, "= is no operator", "did you mean status:…?"),
        ("status!=404", 6, "!= is no operator", "did you mean -status:…?"),
        ("status=>404", 6, "=> is no operator", "did you mean status>=…?"),
        (":x", 0, "a lone :x", 'or quote it: ":x"'),
        # Numbers and times.
        ("latency_ms>fast", 11, "latency_ms> takes a number, not “fast”", "for example latency_ms>500"),
        ("latency_ms>5*", 11, "latency_ms> takes a number, not “5*”", None),
        ("latency_ms>1e999", 11, "latency_ms> takes a number", None),
        ("latency_ms>*", 11, "latency_ms> takes a number, not “*”", "did you mean latency_ms:*?"),
        ("attempt>=none", 9, "attempt>= takes a number, not “none”", "did you mean attempt:none?"),
        ("import:latest", 7, "import: takes a number, not “latest”", "for example import:3"),
        ("started:2026-13", 8, "started: takes a date or a time, not “2026-13”", "for example started:2026-04"),
        ("started>yesterday", 8, "started> takes a date or a time", None),
        ("started:-7d", 8, "-7d is an instant", "write started>-7d"),
        # Quotes, commas, parentheses, joints.
        ('say "half', 4, "half a quote", 'end it with "'),
        ('tool:"half', 5, "half a quote", None),
        ('"ends in \\"', 0, "half a quote", None),
        ("tool:'get order'", 5, "' does not quote", 'write tool:"…"'),
        ("tool:a,,b", 7, "a value is missing at the comma", None),
        ("tool:a, b", 7, "a value is missing at the comma", "field:a,b has no spaces"),
        ("tool:,a", 5, "a value is missing after tool:", None),
        ("(a OR b", 0, "a ( that is never closed", "end it with )"),
        ("a (b (c", 5, "a ( that is never closed", None),
        ("a) b", 1, "a ) without its (", 'quote it to look for it: ")"'),
        ("tool:a)", 6, "a ) without its (", None),
        ("()", 1, "nothing between ( and )", None),
        ("call(x)", 4, "( cannot stand here", "put a space between two terms"),
        ("OR b", 0, "a lone OR", 'quote it: "OR"'),
        ("a OR", 2, "a lone OR", None),
        ("a OR OR b", 5, "a lone OR", None),
        ("(a OR )", 6, "a lone OR", None),
        ("a AND b", 2, "a lone AND", "leave it out"),
        ("NOT a", 0, "a lone NOT", "write -term"),
        ("a - b", 2, "a lone -", "write -term without a space"),
        ("-", 0, "a lone -", None),
        ("--force", 1, "a - before a -", 'quote it to look for it: "-force"'),
        # Words.
        ("*", 0, "there is nothing to search for", "write a word"),
        ('a ""', 2, "there is nothing to search for", None),
        ("ref*nd", 0, "a * inside a word", "it may stand at either end"),
        ("a\x00b", 1, "'\\x00' is no character of a text", None),
        ("a \ud800", 2, "'\\ud800' is no character of a text", None),
        ('run:"a\\ud800"', 4, "half a character", "write the character itself"),
        ('run:"a\\u0000"*', 4, "a * beside \\u0000", "write the whole value"),
    ],
)  # fmt: skip
def test_a_fault_is_told_where_it_stands_with_what_was_meant(
    text: str, position: int, message: str, hint: str | None
) -> None:
    error = refused(text)
    assert (error.position, error.message[: len(message)]) == (position, message)
    assert (hint or "") in (error.hint or "")


def test_an_error_is_one_line_with_the_character_counted_from_one() -> None:
    assert str(refused("a b:c")) == (
        'at character 3: there is no field “b” (to look for the text itself, quote it: "b:c")'
    )


PIECES = ["tool:", "latency_ms>", "started<=", "finding:", "a", "none", "404", "2026-04", "-7d", "*", "/**", '"', "\\",
          "(", ")", ",", "-", " ", " OR ", ":", ">", "=", "漢", "é", "\n", "'", "%", "[", "?", "💥"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20))
def test_any_text_is_a_query_that_runs_or_an_error_that_points_into_it(engine: Engine, text: str) -> None:
    try:
        parse(text)
    except QueryError as error:
        assert 0 <= error.position <= len(text)
    else:
        with engine.connect() as connection:
            assert matching_runs(connection, text) == []
            assert matching_calls(connection, text) == []
            assert matching_findings(connection, text) == []


def test_what_would_be_too_much_for_the_database_is_refused() -> None:
    assert refused("(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1)).message == "parentheses too deep"
    assert refused(" ".join(["a"] * (MOST_CONDITIONS + 1))).message == "too many conditions"
    assert refused("tool:" + ",".join(["a*"] * MOST_CONDITIONS)).message == "too many conditions"
    assert refused("a" * (LONGEST_QUERY + 1)).position == LONGEST_QUERY
    assert refused("a" * 1001).hint == "at most 1000"
    assert refused(f"tool:{'a' * 1000}*").hint == "at most 1000"
    assert len(parse(f"tool:{'a' * 1001}").text) == 1006
