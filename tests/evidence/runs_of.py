"""Small runs for the tests of evidence: a log, a transcript that claims it, and what an examination finds."""

from __future__ import annotations

import json
from typing import Any

from trace_store.contract import normalise
from trace_store.evidence import SchemaCache, examine
from trace_store.model import Finding, Run

ORDER = {"order_id": "4521"}
SHIPPED = {"status": "shipped"}
TOOL = {
    "name": "get_order",
    "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    "output_schema": {"type": "object", "required": ["status"]},
}


def ok(tool: str = "get_order", arguments: Any = ORDER, response: Any = SHIPPED, **fields: Any) -> dict[str, Any]:
    """A logged call that the simulator answered."""
    return {
        "tool_name": tool,
        "arguments": arguments,
        "source": "odyssey",
        "response": response,
        "status_code": 200,
        **fields,
    }


def failed(status: int | None = 500, error_class: str | None = None, **fields: Any) -> dict[str, Any]:
    """A logged call that the proxy refused, with a class or with a plain text."""
    error = {"detail": "plain text" if error_class is None else {"error_class": error_class, "message": "m"}}
    call = ok(response=None, source="error", status_code=status, error=error)
    return {**call, **fields}


def injected(rule: int | None = 0, **fields: Any) -> dict[str, Any]:
    """A logged call that a failure rule made fail."""
    return {**ok(response={"error": "x"}, source="injected", matched_rule_index=rule), **fields}


def claim(id_: str | None = "c0", tool: str = "get_order", arguments: Any = ORDER) -> dict[str, Any]:
    """An assistant message with one tool call."""
    return {"role": "assistant", "tool_calls": [{"id": id_, "name": tool, "arguments": arguments}]}


def result(id_: str | None = "c0", content: Any = SHIPPED) -> dict[str, Any]:
    """A tool message; what is no text is written as JSON."""
    return {
        "role": "tool",
        "tool_call_id": id_,
        "content": content if isinstance(content, str) or content is None else json.dumps(content),
    }


def run_of(*log: Any, answer: Any = "Done.", **body: Any) -> dict[str, Any]:
    """A run body with that log and answer; `messages` are its transcript."""
    return {"final_response": answer, "proxy_calls": list(log), **body}


def without_log(*messages: Any, answer: Any = "Done.", **body: Any) -> dict[str, Any]:
    """A run body with that transcript, and no log."""
    return {"final_response": answer, "messages": list(messages), **body}


def examined(body: Any, **options: Any) -> Run:
    """The run that a body describes, examined."""
    normalised = normalise(body)
    examine(normalised, schemas=SchemaCache(), **options)
    return normalised.run


def kinds(run: Run) -> list[str]:
    """The kinds of all findings, in their order."""
    return [finding.kind for finding in run.findings]


def findings_of(run: Run, kind: str) -> list[Finding]:
    """The findings of a kind."""
    return [finding for finding in run.findings if finding.kind == kind]


def paths(run: Run, kind: str) -> list[str]:
    """The paths of the findings of a kind."""
    return [finding.path for finding in findings_of(run, kind)]


def receipts(run: Run) -> list[int | None]:
    """The receipt of each tool call of the transcript."""
    return [call.receipt for message in run.messages or () for call in message.tool_calls or ()]


def facts(run: Run) -> dict[str, str | None]:
    """The facts of the answer, each with where it was found."""
    assert run.grounding is not None
    return {fact.text: fact.receipt for fact in run.grounding.facts}
