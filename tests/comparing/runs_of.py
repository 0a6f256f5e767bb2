"""Runs to compare, as the contract and the evidence make them out of a body."""

from __future__ import annotations

from typing import Any

from trace_store.contract import normalise
from trace_store.evidence import SchemaCache, examine
from trace_store.model import Run


def run_of(*messages: dict[str, Any], calls: list[dict[str, Any]] | None = None, answer: Any = "Done.") -> Run:
    """A run with this transcript and this log."""
    body: dict[str, Any] = {"run_id": "run_1", "final_response": answer}
    if messages:
        body["messages"] = list(messages)
    if calls is not None:
        body["proxy_calls"] = calls
    normalised = normalise(body)
    run = normalised.run
    run.run_id = "run_1"
    examine(normalised, schemas=SchemaCache())
    return run


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def asks(tool: str, call_id: str = "c1", **arguments: Any) -> dict[str, Any]:
    """An assistant message that only calls a tool."""
    return {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "name": tool, "arguments": arguments}]}


def given(content: str, call_id: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def logged(tool: str, response: Any = None, **fields: Any) -> dict[str, Any]:
    """An entry of the log that was answered, unless `fields` say something else."""
    arguments = fields.pop("arguments", {})
    return {"tool_name": tool, "arguments": arguments, "response": response, "source": "odyssey", **fields}
