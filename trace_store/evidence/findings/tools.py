"""Findings on declared tools, and on calls checked against their declarations (R33, R34)."""

from __future__ import annotations

from trace_store.evidence.context import Examination
from trace_store.evidence.declared_tools import DeclaredTool
from trace_store.evidence.findings.calls import name_of
from trace_store.evidence.findings.formatting import format_count, format_name
from trace_store.evidence.schemas.compiler import Schema
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.transcript_calls import TranscriptCall
from trace_store.model import JSON, Call, Path, Step, ToolCall


def report_tools(exam: Examination) -> None:
    """Report faults of the declarations, and calls that do not match them."""
    tools = exam.declared
    if not tools.is_declared:
        return
    for fault in tools.faults:
        exam.report("schema_invalid", Path(fault.path), fault.message)
    for unbound in tools.unbound:
        exam.report("tool_binding_missing", Path(unbound.path), unbound.message)
    if exam.run.has_log and not exam.run.calls:
        declared = format_count(len(exam.run.tools), "tool")
        message = f"{declared} {'is' if len(exam.run.tools) == 1 else 'are'} declared, and none was called"
        exam.report("no_tool_calls", Path("calls"), message)
    checker = _Checker(exam)
    for call in exam.run.calls:
        if call.lane == "tool" and call.tool_name is not None:
            checker.check_call(call, call.tool_name)
    for transcript_call in exam.transcript.calls:
        checker.check_transcript_call(transcript_call)
    checker.report_undeclared()


class _Checker:
    def __init__(self, exam: Examination) -> None:
        self._exam = exam
        self._undeclared: dict[str, Path] = {}
        self._given_up: set[int] = set()
        self._without_shape: set[str] = set()

    def check_call(self, call: Call, name: str) -> None:
        """Check a call of the log: its tool, arguments, response and source."""
        path = Path.call(call.sequence)
        tool = self._exam.declared.tools.get(name)
        if tool is None:
            self._undeclared.setdefault(name, path / "tool_name")
            return
        self._check_arguments(tool, name, path, call)
        if call.outcome == "ok" and tool.output is not None and self._has_response(call):
            self._check_response(tool, tool.output, call, path)
        if call.family is not None and tool.mode is not None and tool.mode.family not in (None, call.family):
            source = f"the {call.family} source {call.source}"
            message = f"{name_of(call)} is declared {tool.mode.public}, but was answered by {source}"
            self._exam.report("wrong_family_source", path, message)
        if call.source == "odyssey" and not tool.has_output and tool.path not in self._without_shape:
            self._without_shape.add(tool.path)
            message = f"the simulator answered {name_of(call)}, which declares no output schema"
            self._exam.report("output_schema_missing", Path(tool.path), message)

    def check_transcript_call(self, call: TranscriptCall) -> None:
        """Check the tool of a call of the transcript, and its arguments where no receipt has them."""
        tool = self._exam.declared.tools.get(call.name)
        if tool is None:
            self._undeclared.setdefault(call.name, call.path / "name")
        elif call.receipt is None:
            self._check_arguments(tool, call.name, call.path, call.tool_call)

    def report_undeclared(self) -> None:
        """Report each tool that is not declared, at its first call in the log, else in the transcript."""
        for name, path in self._undeclared.items():
            message = f"the tool {format_name(name)} is not in the run's tools_schema"
            self._exam.report("tool_undeclared", path, message)

    def _check_arguments(self, tool: DeclaredTool, name: str, path: Path, call: Call | ToolCall) -> None:
        # No arguments at all: neither a log nor a transcript has to say with which a tool was called.
        if tool.input is None or call.arguments is None or not call.arguments_decoded:
            return
        fault = self._find_fault(tool, "input_schema", tool.input, call.arguments)
        if fault is not None:
            steps, reason = fault
            at = self._exam.argument_faults[path] = (path / "arguments").below(steps)
            message = f"the arguments of {format_name(name)} do not match its input_schema: {reason}"
            self._exam.report("arguments_invalid", at, message)

    def _check_response(self, tool: DeclaredTool, schema: Schema, call: Call, path: Path) -> None:
        fault = self._find_fault(tool, "output_schema", schema, call.response)
        if fault is not None:
            steps, reason = fault
            message = f"the response of {name_of(call)} does not match its output_schema: {reason}"
            self._exam.report("response_invalid", (path / "response").below(steps), message)

    def _find_fault(
        self, tool: DeclaredTool, key: str, schema: Schema, value: JSON
    ) -> tuple[tuple[Step, ...], str] | None:
        """Return the path and reason of a violation. A schema that takes too much work is not used again in the run."""
        if id(schema) in self._given_up:
            return None
        try:
            violation = schema.find_violation(value)
        except TooCostlyError:
            self._given_up.add(id(schema))
            message = f"the {key} of a declared tool cannot be used: it takes too much work"
            self._exam.report("schema_invalid", Path(tool.path) / key, message)
            return None
        if violation is None:
            return None
        more = f" ({format_count(violation.more, 'more fault')})" if violation.more else ""
        return violation.path, violation.reason + more

    def _has_response(self, call: Call) -> bool:
        """Return whether the log has a response, which may be null: a missing one is not checked."""
        entry = self._exam.log.entries[call.sequence]
        return call.response is not None or not isinstance(entry, dict) or "response" in entry
