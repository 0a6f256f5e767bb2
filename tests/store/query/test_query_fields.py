"""The table of fields."""

from __future__ import annotations

from collections import Counter

import pytest

from trace_store.contract.findings.registry import KINDS
from trace_store.errors import QueryError
from trace_store.store.query import FIELDS, Kind, field_named


def test_a_name_means_one_thing_on_each_list() -> None:
    names = Counter(field.name for field in FIELDS)
    assert {name for name, number in names.items() if number > 1} == {"started"}
    assert field_named("started", "calls").of == "call"
    assert field_named("started", "runs").of == field_named("started", "findings").of == "run"
    assert field_named("tool", "runs") is field_named("tool", "calls")


def test_the_fields_are_those_promised() -> None:
    of_calls = """error_class outcome source family lane tool actor actor_status latency_ms status rule attempt chain
        retryable stale started"""
    of_runs = """run task scenario check agent model prompt run_status verdict failed view run_error_class
        envelope_class envelope_code boundary boundary_tool boundary_class boundary_message finding severity
        warnings calls failures retries tokens started imported import file format reviewed review
        failure_mode tag reviewer responsible queue"""
    assert {field.name for field in FIELDS if field.of == "call"} == set(of_calls.split())
    assert {field.name for field in FIELDS if field.of == "run"} == set(of_runs.split())


def test_only_closed_sets_and_flags_have_values_of_their_own() -> None:
    for field in FIELDS:
        assert bool(field.values) == (field.kind in (Kind.CLOSED, Kind.FLAG)), field.name


def test_a_stored_value_is_shown_as_a_query_writes_it() -> None:
    assert [field_named("verdict").public_value(stored) for stored in (1, 0, None)] == ["passed", "failed", None]
    assert [field_named("stale").public_value(stored) for stored in (1, 0)] == ["true", "false"]
    assert field_named("reviewed").public_value(1) == "true"
    assert field_named("tool").public_value("get_order") == "get_order"
    assert field_named("status").public_value(404) == 404


def test_an_unknown_name_is_told_what_there_is() -> None:
    with pytest.raises(QueryError) as caught:
        field_named("zzz", position=7)
    assert caught.value.position == 7
    assert caught.value.hint is not None and caught.value.hint.startswith("fields are error_class, outcome")


def test_every_kind_of_finding_can_be_asked_for() -> None:
    assert list(field_named("finding").values) == list(KINDS)
