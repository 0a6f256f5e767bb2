"""The table of fields: what a query can filter by. The parser, the compiler, completion, facets, sorting and
`docs/query.md` are all made from it; a field is added here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import Column, ColumnElement, FromClause, Table, case, func

from trace_store.contract.findings.registry import KINDS
from trace_store.contract.vocabulary import STATUS_SPELLINGS
from trace_store.errors import QueryError
from trace_store.model import ActorStatus, ChainOutcome, Family, Lane, Outcome, Severity, Stage, Verdict, View
from trace_store.store.schema.tables import calls, findings, queue_runs, review_tags, reviews, runs

FieldValue: TypeAlias = str | int | float
"""A value as it stands in a column."""

ListName: TypeAlias = Literal["runs", "calls", "findings"]
"""What a query lists, and so what its terms are about."""

TABLES: Mapping[ListName, Table] = {"runs": runs, "calls": calls, "findings": findings}
"""The table of each list; its primary key is the order of the list."""


class Presence(Enum):
    """`field:*` and `field:none`."""

    ANY = "*"
    NONE = "none"


class Kind(Enum):
    """What a field's values are."""

    CLOSED = "one of a fixed set"
    FLAG = "true or false"
    TEXT = "text"
    NUMBER = "number"
    TIME = "time"


@dataclass(frozen=True, slots=True, eq=False)
class FieldColumn:
    """Where a field's value stands: a column of a table, or an expression over its columns."""

    table: FromClause
    value: ColumnElement[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A value that no column holds: it is the case where the run has a row of `table` for which `holds`."""

    table: FromClause
    holds: ColumnElement[bool]


Meaning: TypeAlias = FieldValue | Presence | Fact
"""What a value of a closed set, as a query writes it, stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One field. `values` maps what a person writes to what is stored, for closed sets and flags. A field with several
    columns has a value where one of them has it. `sparse`: few calls have any value; `common`: values that most calls
    have (both choose how runs are found by their calls). `tree`: `/**` asks for a subtree. `spellings`: stored values
    that say the same as another, which stands for both in facets; a query finds both by either."""

    name: str
    of: Literal["call", "run"]
    kind: Kind
    columns: tuple[FieldColumn, ...] = field(repr=False)
    description: str = field(repr=False)
    example: str = field(repr=False)
    values: Mapping[str, Meaning] = field(default_factory=dict, repr=False)
    sparse: bool = False
    common: frozenset[FieldValue] = frozenset()
    tree: bool = False
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def always(self) -> bool:
        """Return whether every row has a value, so that `none` would find nothing."""
        own = calls if self.of == "call" else runs
        return all(
            column.table is own and isinstance(column.value, Column) and not column.value.nullable
            for column in self.columns
        )

    def public_value(self, value: FieldValue | None) -> FieldValue | None:
        """Return a column's value as a query writes it: `passed` for a verdict of 1."""
        for name, meaning in self.values.items():
            if meaning == value or (meaning is Presence.ANY and value is not None):
                return name
        return self.spellings.get(value, value) if isinstance(value, str) else value

    def stored_values(self, value: str) -> tuple[str, ...]:
        """Return the value, in each of its spellings; the one of the facets first."""
        first = self.spellings.get(value, value)
        return (first, *(other for other, one in self.spellings.items() if one == first))


def _at(*columns: Column[Any]) -> tuple[FieldColumn, ...]:
    return tuple(FieldColumn(column.table, column) for column in columns)


def _closed(*values: str) -> dict[str, Meaning]:
    return {value: value for value in values}


_FLAG: Mapping[str, Meaning] = {"true": 1, "false": 0}

# A row with nothing filled in is a review too.
_REVIEWED = FieldColumn(reviews, case((reviews.c.run_id.is_not(None), 1)))
# One count alone still says something; null only where both are unknown.
_TOKENS = func.coalesce(runs.c.input_tokens + runs.c.output_tokens, runs.c.input_tokens, runs.c.output_tokens)

FIELDS: tuple[Field, ...] = (
    # Of a call.
    Field("error_class", "call", Kind.TEXT, _at(calls.c.error_class),
          "Error class of the call; not that of the run or of an envelope.",
          "error_class:run_token_*", sparse=True),
    Field("outcome", "call", Kind.CLOSED, _at(calls.c.outcome), "How the call ended.",
          "outcome:failed,injected_failure", _closed(*get_args(Outcome)), common=frozenset({"ok"})),
    Field("source", "call", Kind.TEXT, _at(calls.c.source), "Who answered the call; none is a legacy payload.",
          "source:odyssey", common=frozenset({"odyssey", "passthrough"})),
    Field("family", "call", Kind.CLOSED, _at(calls.c.family), "Family of the source.",
          "family:live", _closed(*get_args(Family)), common=frozenset(get_args(Family))),
    Field("lane", "call", Kind.CLOSED, _at(calls.c.lane), "Lane of the proxy.",
          "lane:data", _closed(*get_args(Lane)), common=frozenset({"tool"})),
    Field("tool", "call", Kind.TEXT, _at(calls.c.tool_name), "Name of the tool; none is an unreadable call.",
          "tool:get_*"),
    Field("actor", "call", Kind.TEXT, _at(calls.c.actor_id),
          "Label of the acting sub-agent; none is unattributed.", "actor:supervisor/**", tree=True),
    Field("actor_status", "call", Kind.CLOSED, _at(calls.c.actor_status),
          "What the catalog says of the label.", "actor_status:undeclared", _closed(*get_args(ActorStatus)),
          common=frozenset({"declared", "unchecked", "unattributed"})),
    Field("latency_ms", "call", Kind.NUMBER, _at(calls.c.latency_ms), "Latency in milliseconds.",
          "latency_ms>500"),
    Field("status", "call", Kind.NUMBER, _at(calls.c.status_code), "HTTP status of the answer.",
          "status>=500", common=frozenset({200})),
    Field("rule", "call", Kind.NUMBER, _at(calls.c.matched_rule_index),
          "Index of the failure rule that fired; 0 is a rule.", "rule:0", sparse=True),
    Field("attempt", "call", Kind.NUMBER, _at(calls.c.attempt), "Attempt within its chain, from 1.",
          "attempt>1", common=frozenset({1})),
    Field("chain", "call", Kind.CLOSED, _at(calls.c.chain_outcome), "Outcome of the call's chain.",
          "chain:exhausted,gave_up", _closed(*get_args(ChainOutcome)), common=frozenset({"succeeded"})),
    Field("retryable", "call", Kind.FLAG, _at(calls.c.retryable), "Failed in a way that may be retried.",
          "retryable:true", _FLAG, common=frozenset({0})),
    Field("stale", "call", Kind.FLAG, _at(calls.c.stale_token), "Refused for a stale run token.",
          "stale:true", _FLAG, common=frozenset({0})),
    Field("started", "call", Kind.TIME, _at(calls.c.started_us), "When the call started; asked on `calls` only.",
          "started>=2026-04-01T09:30"),
    # Of a run.
    Field("run", "run", Kind.TEXT, _at(runs.c.run_id), "Id of the run.", "run:run_81"),
    Field("task", "run", Kind.TEXT, _at(runs.c.task_id), "Id of the task.", "task:task_7"),
    Field("scenario", "run", Kind.TEXT, _at(runs.c.scenario), "Name of the scenario.", 'scenario:"Refund "*'),
    Field("check", "run", Kind.TEXT, _at(runs.c.check_id), "Id of the check.", "check:check_12"),
    Field("agent", "run", Kind.TEXT, _at(runs.c.agent_id), "Id of the agent.", "agent:support"),
    Field("model", "run", Kind.TEXT, _at(runs.c.model), "Model, as the metadata names it.", "model:gpt-*"),
    Field("prompt", "run", Kind.TEXT, _at(runs.c.system_prompt_id), "Id of the system prompt.", "prompt:v12"),
    Field("run_status", "run", Kind.TEXT, _at(runs.c.status),
          "Status, as the export has it; `timeout` is read as `timed_out`.", "run_status:timed_out,cancelled",
          spellings=STATUS_SPELLINGS),
    Field("verdict", "run", Kind.CLOSED, _at(runs.c.judge_passed), "Verdict of the judge; none is unjudged.",
          "verdict:failed", {"passed": 1, "failed": 0}),
    Field("failed", "run", Kind.FLAG, _at(runs.c.failed), "The run itself failed, whatever the judge says.",
          "failed:true", _FLAG),
    Field("view", "run", Kind.CLOSED, _at(runs.c.view), "Whether there is a transcript.", "view:thin",
          _closed(*get_args(View))),
    Field("run_error_class", "run", Kind.TEXT, _at(runs.c.error_class),
          "Error class of the run itself; not that of its calls.", "run_error_class:agent_timeout"),
    Field("envelope_class", "run", Kind.TEXT, _at(runs.c.envelope_class, calls.c.envelope_class),
          "Class of an error envelope, of the run's own error or of any of its calls.",
          "envelope_class:policy"),
    Field("envelope_code", "run", Kind.TEXT, _at(runs.c.envelope_code, calls.c.envelope_code),
          "Code of an error envelope, of the run's own error or of any of its calls.",
          "envelope_code:budget_exceeded"),
    Field("boundary", "run", Kind.CLOSED, _at(runs.c.boundary_stage), "Stage of the first failed boundary.",
          "boundary:transport,receipt", _closed(*get_args(Stage))),
    Field("boundary_tool", "run", Kind.TEXT, _at(runs.c.boundary_tool),
          "Tool of the call at the first failed boundary.", "boundary_tool:issue_refund"),
    Field("boundary_class", "run", Kind.TEXT, _at(runs.c.boundary_class),
          "Error class at the first failed boundary: of its call, or else of the run.",
          "boundary_class:run_token_expired"),
    Field("boundary_message", "run", Kind.TEXT, _at(runs.c.boundary_message),
          "What a first failed boundary without a class said, with numbers, ids and quoted texts masked.",
          'boundary_message:"*not found*"'),
    Field("finding", "run", Kind.CLOSED, _at(findings.c.kind), "Kind of a finding in the run.",
          "finding:call_without_receipt", _closed(*KINDS)),
    Field("severity", "run", Kind.CLOSED, _at(findings.c.severity), "Severity of a finding in the run.",
          "severity:error", _closed(*get_args(Severity))),
    Field("warnings", "run", Kind.NUMBER, _at(runs.c.warnings), "Number of soft warnings.", "warnings>0"),
    Field("calls", "run", Kind.NUMBER, _at(runs.c.calls), "Number of calls in the log.", "calls>=20"),
    Field("failures", "run", Kind.NUMBER, _at(runs.c.failures), "Number of failed calls, injected ones included.",
          "failures>0"),
    Field("retries", "run", Kind.NUMBER, _at(runs.c.retries), "Number of attempts beyond the first of their chain.",
          "retries>=3"),
    Field("tokens", "run", Kind.NUMBER, (FieldColumn(runs, _TOKENS),), "Input and output tokens together.",
          "tokens>100000"),
    Field("started", "run", Kind.TIME, _at(runs.c.started_us), "When the run started.", "started:2026-04"),
    Field("imported", "run", Kind.TIME, _at(runs.c.imported_us), "When the run was imported last.", "imported>-7d"),
    Field("import", "run", Kind.NUMBER, _at(runs.c.import_id), "Number of the import that brought the run.",
          "import:3"),
    Field("file", "run", Kind.TEXT, _at(runs.c.file), "File the run was imported from.", "file:*nightly.jsonl"),
    Field("format", "run", Kind.TEXT, _at(runs.c.format), "Format the run was read from.", "format:run-body"),
    Field("reviewed", "run", Kind.FLAG, (_REVIEWED,),
          "Somebody saved a review, of this version of the run or of an earlier one.", "reviewed:false",
          {"true": Presence.ANY, "false": Presence.NONE}),
    Field("review", "run", Kind.CLOSED, _at(reviews.c.verdict),
          "The reviewer's verdict; `stale`: the run has changed since its review.", "review:fail,unsure",
          {**_closed(*get_args(Verdict)), "stale": Fact(reviews, reviews.c.digest != runs.c.digest)}),
    Field("failure_mode", "run", Kind.TEXT, _at(reviews.c.failure_mode), "The failure mode a reviewer named.",
          'failure_mode:"wrong tool"'),
    Field("tag", "run", Kind.TEXT, _at(review_tags.c.tag), "A tag a reviewer gave.", "tag:regression"),
    Field("reviewer", "run", Kind.TEXT, _at(reviews.c.reviewer), "Who saved the review.", "reviewer:ada"),
    Field("responsible", "run", Kind.TEXT, _at(reviews.c.actor_id), "The actor a reviewer held responsible.",
          "responsible:supervisor/**", tree=True),
    Field("queue", "run", Kind.NUMBER, _at(queue_runs.c.queue_id), "Number of a review queue the run is in.",
          "queue:2"),
)  # fmt: skip
"""Every field, those of calls first. `started` stands twice: what it is about depends on what is listed."""

_OF_RUNS = {entry.name: entry for entry in FIELDS}
_OF_CALLS = _OF_RUNS | {entry.name: entry for entry in FIELDS if entry.of == "call"}
# What else a person may call a field: the names of columns and of the run document's keys.
_OTHER_NAMES = {
    column.value.name: entry.name
    for entry in reversed(FIELDS)
    for column in entry.columns
    if isinstance(column.value, Column)
} | {"latency": "latency_ms", "undeclared": "actor_status", "judge": "verdict"}


def field_named(name: str, list_name: ListName = "runs", *, position: int = 0, text: str | None = None) -> Field:
    """Return the field of that name, as it is meant in a query on the list. Raises QueryError with "did you mean";
    `text` is the whole term, which may have been meant as words."""
    fields = _OF_CALLS if list_name == "calls" else _OF_RUNS
    if name in fields:
        return fields[name]
    close = [_OTHER_NAMES[name]] if name in _OTHER_NAMES else closest(name, fields)
    hints = [f"did you mean {close[0]}?"] if close else []
    if text is not None:
        hints.append(f'{"To" if close else "to"} look for the text itself, quote it: "{text}"')
    hint = " ".join(hints) if hints else "fields are " + ", ".join(fields)
    raise QueryError(f"there is no field “{name}”", position=position, hint=hint)


def closest(word: str, names: Mapping[str, object]) -> list[str]:
    """Return the names that `word` was probably meant to be, best first; case does not matter."""
    return get_close_matches(word.lower(), names, n=3, cutoff=0.6)
