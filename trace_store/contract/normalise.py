"""Turn a run body into a `Run`: each part of the contract takes its own keys out of the body.

The keys that are left over are unknown and stay in `extra` (R6), together with those that the run document only has in
part: the declarations (actors, topology, tools) and the recorded environment. Findings, receipts, grounding and
boundary are added later, from the whole run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trace_store.contract.actor_tree import build_tree
from trace_store.contract.actors import CATALOG_KEYS, Catalog, read_catalog
from trace_store.contract.arguments import decode_arguments
from trace_store.contract.bodies import context_id, find_run_id, take_final_response
from trace_store.contract.calls import Log, read_log, take_log
from trace_store.contract.events import read_topology, take_events
from trace_store.contract.fields import (
    WarningCollector,
    as_array,
    as_boolean,
    as_object,
    as_string,
    take_identifier,
    take_time,
    take_typed,
)
from trace_store.contract.outcomes import class_in
from trace_store.contract.retries import build_chains
from trace_store.contract.tools import TOOLS_KEY, read_tools
from trace_store.contract.transcript import read_exported_warnings, read_messages, read_metadata
from trace_store.contract.unread import warn_of_unread
from trace_store.contract.vocabulary import FAILED_STATUSES
from trace_store.model import JSON, Path, Run, SoftWarning

DECLARATION_KEYS = (*CATALOG_KEYS, TOOLS_KEY)


@dataclass(slots=True)
class NormalisedRun:
    """A run, and what its evidence needs besides: the body, the catalog of actors, and the log as it was read."""

    run: Run
    body: dict[str, JSON]
    catalog: Catalog
    log: Log


def normalise(
    body: JSON, *, run_id: str | None = None, format: str = "run-body", warnings: Sequence[SoftWarning] = ()
) -> NormalisedRun:
    """Return the run that a body describes (R1-R33). Never raises for a JSON value, and shares its payloads.

    `format` names what the document was read from, `warnings` are those of its reader. Without a `run_id` the run has
    the id in its body, else `""`; the caller sets file, place and import.
    """
    collector = WarningCollector()
    fields: dict[str, JSON] = (
        {"final_response": body} if isinstance(body, str) else body if isinstance(body, dict) else {}
    )
    rest = fields.copy()
    answer = take_final_response(rest, collector)
    run = Run(
        run_id=find_run_id(fields) or "" if run_id is None else run_id,
        format=format,
        final_response=answer.text,
        final_response_cut=answer.cut,
        response_error=answer.error,
        view="thin",
        failed=False,
        extra=rest,
    )
    _take_facts(run, collector)
    _take_error(run, collector)
    exported = _take_transcript(run, collector)
    catalog, log = _take_actors_and_calls(run, collector)
    run.failed = (
        run.response_error is not None or run.error_class is not None or run.status in FAILED_STATUSES  # R3
    )
    reading = collector.warnings()
    run.warnings = [*exported, *warnings, *reading, *warn_of_unread(run, log.entries, reading)]
    return NormalisedRun(run, fields, catalog, log)


def _take_facts(run: Run, warnings: WarningCollector) -> None:
    """Take the ids (R41, R42) and the other facts of the run."""
    rest = run.extra
    if take_identifier(rest, "run_id", Path(), warnings) is None:
        take_identifier(rest, "id", Path(), warnings)
    run.run_token_jti = take_identifier(rest, "run_token_jti", Path(), warnings) or context_id(rest, "run_token_jti")
    run.task_id = take_identifier(rest, "task_id", Path(), warnings) or context_id(rest, "task_id")
    run.agent_id = take_identifier(rest, "agent_id", Path(), warnings) or context_id(rest, "agent_id")
    run.check_id = take_identifier(rest, "check_id", Path(), warnings)
    run.scenario = take_typed(rest, "scenario", as_string, "a string", Path(), warnings)
    run.status = take_typed(rest, "status", as_string, "a string", Path(), warnings)
    run.judge_passed = take_typed(rest, "judge_passed", as_boolean, "a boolean", Path(), warnings)
    started = take_time(rest, ("started_at",), Path(), warnings)
    run.started_at = None if started is None else started.text
    run.task_input = rest.pop("task_input", None)


def _take_error(run: Run, warnings: WarningCollector) -> None:
    """Take the run-layer error and its class: on the body itself, or in its `error` or `error_json` (R22)."""
    rest = run.extra
    own = take_typed(rest, "error_class", as_string, "a string", Path(), warnings)
    recorded = decode_arguments(rest.get("error_json"))[0]
    run.error = rest.pop("error", None)
    run.error_class = own or class_in(run.error) or class_in(recorded)
    if run.error is None:
        run.error = recorded
        rest.pop("error_json", None)


def _take_transcript(run: Run, warnings: WarningCollector) -> list[SoftWarning]:
    """Take messages and metadata (R5, R7-R13); return the warnings of the export (R14)."""
    rest = run.extra
    entries = take_typed(rest, "messages", as_array, "an array", Path(), warnings)
    run.messages = read_messages(entries, warnings) if entries is not None else None
    run.view = "thin" if run.messages is None else "rich"
    metadata = take_typed(rest, "metadata", as_object, "an object", Path(), warnings)
    exported = read_exported_warnings(rest.get("soft_warnings"), Path.of("soft_warnings"), warnings)
    if exported is not None:
        rest.pop("soft_warnings", None)
    exported = exported or []
    if metadata is not None:
        run.metadata = read_metadata(metadata, warnings)
        inner = read_exported_warnings(metadata.get("soft_warnings"), Path.of("metadata", "soft_warnings"), warnings)
        exported += inner or []
    return exported


def _take_actors_and_calls(run: Run, warnings: WarningCollector) -> tuple[Catalog, Log]:
    """Take the declarations, the log with its chains, the tree of actors, tools and events (R16-R33)."""
    rest = run.extra
    for key in DECLARATION_KEYS:
        if rest.get(key) is not None and not isinstance(rest[key], list):
            warnings.add_wrong_type(Path.of(key), "nulled", "an array", rest[key])
    catalog = read_catalog(rest)
    run.declared_actors = list(catalog.actors) or None
    entries = take_log(rest, warnings)
    run.has_log = entries is not None
    log = read_log(entries or [], catalog, warnings)
    run.calls = log.calls
    run.chains = build_chains(log)
    run.actors = build_tree(run.calls, catalog)
    run.tools = read_tools(as_array(rest.get(TOOLS_KEY)) or [])
    run.events = take_events(rest, warnings)
    run.topology = read_topology(rest.get("topology"), catalog, run.events, warnings)
    return catalog, log
