"""Declared tools, and calls held against them (R33, R34)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evidence.runs_of import (
    TOOL,
    claim,
    examined,
    failed,
    findings_of,
    injected,
    kinds,
    ok,
    paths,
    result,
    run_of,
    without_log,
)
from trace_store.evidence import SchemaCache

BAD = {"order_id": 4521}
BOMB = {
    "$ref": "#/$defs/d0",
    "$defs": {**{f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}, "d40": {}},
}


def declared(*tools: Any, log: list[Any] | None = None) -> Any:
    return examined(run_of(*(log or []), tools_schema=list(tools)))


class TestDeclarations:
    @pytest.mark.parametrize(
        ("tool", "path"),
        [
            ("no object", "tools_schema[0]"),
            ({"input_schema": {}}, "tools_schema[0]"),
            ({"name": None, "input_schema": {}}, "tools_schema[0]"),
            ({"name": 5, "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "", "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "two words", "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "1st", "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "a" * 129, "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "a\n", "input_schema": {}}, "tools_schema[0].name"),
            ({"name": "f"}, "tools_schema[0]"),
            ({"name": "f", "input_schema": "x"}, "tools_schema[0].input_schema"),
            ({"name": "f", "input_schema": True}, "tools_schema[0].input_schema"),
            ({"name": "f", "input_schema": {}, "output_schema": []}, "tools_schema[0].output_schema"),
            (
                {"name": "f", "input_schema": {}, "default_execution_mode": "turbo"},
                "tools_schema[0].default_execution_mode",
            ),
            ({"name": "f", "input_schema": {}, "default_execution_mode": 5}, "tools_schema[0].default_execution_mode"),
            ({"name": "f", "input_schema": {"type": "objekt"}}, "tools_schema[0].input_schema.type"),
            (
                {"name": "f", "input_schema": {}, "output_schema": {"$ref": "http://x/y"}},
                "tools_schema[0].output_schema.$ref",
            ),
            (
                {"name": "f", "input_schema": {"properties": {"a": {"pattern": "(?=x)"}}}},
                "tools_schema[0].input_schema.properties.a.pattern",
            ),
        ],
    )
    def test_a_fault_is_told_once_at_its_place(self, tool: Any, path: str) -> None:
        assert paths(declared(tool), "schema_invalid") == [path]

    @pytest.mark.parametrize(
        "tool",
        [
            {"name": "_get-order9", "input_schema": {}},
            {"name": "a" * 128, "input_schema": {}, "output_schema": None},
            *(
                {"name": "f", "input_schema": {}, "default_execution_mode": mode}
                for mode in ("simulated", "sandbox", "executed", "code_intercepted", None)
            ),
            {"name": "f", "input_schema": {}, "default_execution_mode": "live", "passthrough_binding": {"url": "x"}},
        ],
    )
    def test_a_sound_declaration_has_none(self, tool: Any) -> None:
        assert {"schema_invalid", "tool_binding_missing"}.isdisjoint(kinds(declared(tool)))

    def test_a_name_declared_twice(self) -> None:
        run = declared(TOOL, {"name": "other", "input_schema": {}}, {**TOOL, "input_schema": {}}, TOOL)
        assert paths(run, "schema_invalid") == ["tools_schema[2].name", "tools_schema[3].name"]

    def test_of_two_declarations_the_first_holds(self) -> None:
        run = declared(TOOL, {**TOOL, "input_schema": {}}, log=[ok(arguments=BAD)])
        assert len(findings_of(run, "arguments_invalid")) == 1

    def test_several_faults_of_one_tool(self) -> None:
        run = declared({"name": "two words", "input_schema": 5, "default_execution_mode": "turbo"})
        assert len(findings_of(run, "schema_invalid")) == 3

    @pytest.mark.parametrize("mode", ["live", "passthrough"])
    def test_a_live_tool_without_a_binding(self, mode: str) -> None:
        run = declared(TOOL, {**TOOL, "name": "f", "default_execution_mode": mode, "passthrough_binding": None})
        assert paths(run, "tool_binding_missing") == ["tools_schema[1]"]

    @pytest.mark.parametrize("schema", [None, [], {}, "x", 5])
    def test_what_is_no_list_of_tools_declares_none(self, schema: Any) -> None:
        run = examined(run_of(ok(), tools_schema=schema))
        assert {"tool_undeclared", "schema_invalid", "no_tool_calls"}.isdisjoint(kinds(run))


class TestArguments:
    def test_of_the_log(self) -> None:
        run = declared(TOOL, log=[ok(), ok(arguments=BAD), ok(arguments={})])
        assert paths(run, "arguments_invalid") == ["calls[1].arguments.order_id", "calls[2].arguments"]
        first, second = findings_of(run, "arguments_invalid")
        assert "`type` wants string, found 4521" in first.message
        assert "`required` wants order_id" in second.message

    def test_the_message_counts_the_rest(self) -> None:
        tool = {"name": "f", "input_schema": {"required": ["a", "b", "c"]}}
        (finding,) = findings_of(declared(tool, log=[ok("f", {})]), "arguments_invalid")
        assert "(2 more faults)" in finding.message

    def test_of_each_attempt(self) -> None:
        run = declared(TOOL, log=[failed(503, "lock_contention", arguments=BAD), ok(arguments=BAD)])
        assert len(findings_of(run, "arguments_invalid")) == 2

    def test_of_the_transcript_only_without_a_receipt(self) -> None:
        messages = [claim(arguments=BAD), result()]
        with_receipt = examined(run_of(ok(arguments=BAD), messages=messages, tools_schema=[TOOL]))
        assert paths(with_receipt, "arguments_invalid") == ["calls[0].arguments.order_id"]
        without = examined(without_log(*messages, tools_schema=[TOOL]))
        assert paths(without, "arguments_invalid") == ["messages[0].tool_calls[0].arguments.order_id"]

    @pytest.mark.parametrize("arguments", [None, "", "{broken", 7])
    def test_what_is_missing_or_undecoded_is_not_checked(self, arguments: Any) -> None:
        assert "arguments_invalid" not in kinds(declared(TOOL, log=[ok(arguments=arguments)]))

    def test_other_lanes_call_no_tools(self) -> None:
        run = declared(TOOL, log=[ok(arguments=BAD, lane="data"), ok("g", lane="telemetry")])
        assert {"arguments_invalid", "tool_undeclared"}.isdisjoint(kinds(run))

    def test_what_depends_on_a_broken_schema_is_not_checked(self) -> None:
        tool = {**TOOL, "input_schema": {"type": "objekt"}}
        run = declared(tool, log=[ok(arguments=BAD, response={})])
        assert "arguments_invalid" not in kinds(run)
        assert paths(run, "response_invalid") == ["calls[0].response"]

    def test_nor_under_a_bad_name(self) -> None:
        run = declared({**TOOL, "name": "get order"}, log=[ok("get order", BAD)])
        assert kinds(run) == ["schema_invalid"]


class TestResponses:
    def test_of_a_call_that_was_ok(self) -> None:
        run = declared(TOOL, log=[ok(response={"state": "x"}), ok(response={"status": 1}), ok()])
        assert paths(run, "response_invalid") == ["calls[0].response"]

    @pytest.mark.parametrize("call", [failed(response={}), injected(response={}), ok(response={"error": "x"})])
    def test_no_other(self, call: dict[str, Any]) -> None:
        assert "response_invalid" not in kinds(declared(TOOL, log=[call]))

    def test_null_is_a_response_and_none_is_not(self) -> None:
        tool = {**TOOL, "output_schema": {"type": "object"}}
        assert paths(declared(tool, log=[ok(response=None)]), "response_invalid") == ["calls[0].response"]
        unlogged = {key: value for key, value in ok().items() if key != "response"}
        assert "response_invalid" not in kinds(declared(tool, log=[unlogged]))

    def test_a_call_of_no_known_source_is_checked_too(self) -> None:
        assert "response_invalid" in kinds(declared(TOOL, log=[ok(source=None, response={})]))


class TestSources:
    @pytest.mark.parametrize(
        ("mode", "source", "wrong"),
        [
            (None, "odyssey", False),
            ("simulated", "error", False),
            ("sandbox", "injected", False),
            ("simulated", "passthrough", True),
            ("simulated", "transport_error", True),
            ("live", "passthrough", False),
            ("passthrough", "transport_error", False),
            ("live", "odyssey", True),
            ("live", "error", True),
            ("simulated", None, False),
            ("live", "cache", False),
            ("executed", "odyssey", False),
            ("executed", "passthrough", False),
            ("turbo", "passthrough", False),
        ],
    )
    def test_each_family(self, mode: str | None, source: str | None, wrong: bool) -> None:
        tool = {**TOOL, "default_execution_mode": mode, "passthrough_binding": {}}
        run = declared(tool, log=[ok(source=source)])
        assert paths(run, "wrong_family_source") == (["calls[0]"] if wrong else [])

    def test_a_simulated_answer_without_an_output_schema(self) -> None:
        loose = {"name": "f", "input_schema": {}}
        run = declared(TOOL, loose, log=[ok(), ok("f"), ok("f", {"n": 2}), ok("f", response={"error": "x"})])
        assert paths(run, "output_schema_missing") == ["tools_schema[1]"]

    @pytest.mark.parametrize("call", [ok("f", source="passthrough"), failed(tool_name="f"), ok("f", source=None)])
    def test_no_other_answer(self, call: dict[str, Any]) -> None:
        assert "output_schema_missing" not in kinds(declared({"name": "f", "input_schema": {}}, log=[call]))

    def test_a_broken_output_schema_is_not_missing(self) -> None:
        tool = {"name": "f", "input_schema": {}, "output_schema": {"type": "x"}}
        assert "output_schema_missing" not in kinds(declared(tool, log=[ok("f")]))


class TestUndeclared:
    def test_once_a_tool_and_in_the_log_first(self) -> None:
        messages = [claim("a", "h"), result("a"), claim("b", "g"), result("b")]
        run = examined(run_of(ok(), ok("g"), ok("g", {"n": 2}), messages=messages, tools_schema=[TOOL]))
        assert paths(run, "tool_undeclared") == ["calls[1].tool_name", "messages[0].tool_calls[0].name"]

    def test_names_are_told_apart_by_case(self) -> None:
        assert paths(declared(TOOL, log=[ok("Get_order")]), "tool_undeclared") == ["calls[0].tool_name"]


def test_a_schema_that_takes_too_much_work_is_told_once_and_left() -> None:
    tool = {"name": "f", "input_schema": BOMB, "output_schema": {}}
    run = declared(tool, log=[ok("f", {"n": n}) for n in range(5)])
    assert paths(run, "schema_invalid") == ["tools_schema[0].input_schema"]
    assert "too much work" in findings_of(run, "schema_invalid")[0].message


def test_tools_are_read_once_an_import() -> None:
    cache = SchemaCache()
    assert cache.read_tools([TOOL]) is cache.read_tools([dict(TOOL)])
    assert cache.read_tools([TOOL]) is not cache.read_tools([TOOL, TOOL])


def test_what_is_said_of_a_schema_does_not_depend_on_the_runs_before() -> None:
    cache = SchemaCache()
    for number in (1, 1.0):
        (fault,) = cache.read_tools([{"name": "f", "input_schema": {"properties": {"id": number}}}]).faults
        assert fault.message.endswith(f"`properties` cannot hold {number}")


def test_more_declarations_than_are_kept() -> None:
    cache = SchemaCache()
    for n in range(SchemaCache.MAX_TOOL_LISTS + 5):
        assert f"f{n}" in cache.read_tools([{"name": f"f{n}", "input_schema": {}}]).tools
