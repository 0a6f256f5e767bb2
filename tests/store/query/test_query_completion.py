"""What a search bar suggests."""

from __future__ import annotations

from collections.abc import Iterable

from trace_store.store.query import FIELDS, Field, parse
from trace_store.store.query.completion import complete


def texts(text: str, cursor: int | None = None) -> list[str]:
    return [suggestion.text for suggestion in complete(text, cursor)]


def accepted(text: str, choice: str, cursor: int | None = None) -> str:
    """The text after the suggestion was taken."""
    (taken,) = [suggestion for suggestion in complete(text, cursor) if suggestion.text == choice]
    return text[: taken.start] + taken.text + text[taken.end :]


def test_fields_that_begin_so_come_before_those_that_have_it_within() -> None:
    assert texts("err") == ["error_class:", "run_error_class:"]
    assert texts("failed:true act") == ["actor:", "actor_status:"]
    assert texts("-late") == ["latency_ms>"]
    assert texts("(atempt")[0] == "attempt>"
    assert texts("zzz") == []


def test_an_empty_place_offers_every_field_once() -> None:
    offered = texts("failed:true ")
    assert len(offered) == len(set(offered)) == len({field.name for field in FIELDS})
    assert "started>" in offered


def test_the_values_of_a_closed_set() -> None:
    assert texts("actor_status:") == ["declared", "undeclared", "unchecked", "unattributed", "malformed", "*"]
    assert texts("outcome:ok,") == ["application_error", "failed", "injected_failure", "unreadable", "*"]
    assert texts("outcome:ok,f") == ["failed"]
    assert texts("-failed:") == ["true", "false"]
    assert texts("verdict:") == ["passed", "failed", "*", "none"]


def test_the_values_of_open_text_come_from_the_store() -> None:
    asked: list[tuple[str, str]] = []

    def known(field: Field, typed: str) -> Iterable[str]:
        asked.append((field.name, typed))
        return [name for name in ("get_order", "get order", "put") if name.startswith(typed)]

    assert [found.text for found in complete("tool:get", values=known)] == ["get_order", '"get order"']
    assert [found.text for found in complete('tool:put,"get o', values=known)] == ['"get order"']
    assert [found.text for found in complete("tool:", values=known)][-2:] == ["*", "none"]
    assert asked == [("tool", "get"), ("tool", "get o"), ("tool", "")]


def test_numbers_and_times_show_how_they_are_written() -> None:
    assert texts("latency_ms>") == ["500"]
    assert texts("started:") == ["2026-04", "*", "none"]
    assert texts("latency_ms>5") == []


def test_nothing_is_suggested_inside_a_phrase_or_after_an_unknown_field() -> None:
    assert texts('"refund iss') == []
    assert texts('"tool:a b" "err') == []
    assert texts("colour:") == []


def test_a_quote_that_was_closed_is_over() -> None:
    assert texts('"refund issued" err') == ["error_class:", "run_error_class:"]
    assert texts('tool:"a (b" outcome:f') == ["failed"]


def test_taking_a_suggestion_replaces_what_was_typed_around_the_cursor() -> None:
    assert accepted("failed:true err", "error_class:") == "failed:true error_class:"
    assert accepted("outcome:ok,fai tool:x", "failed", cursor=12) == "outcome:ok,failed tool:x"
    assert accepted("-outc:failed", "outcome:", cursor=4) == "-outcome::failed"
    assert accepted("outcome:", "failed") == "outcome:failed"


def test_what_is_suggested_can_be_written() -> None:
    for field in FIELDS:
        for value in texts(f"{field.name}:"):
            parse(f"{field.name}:{value}")
