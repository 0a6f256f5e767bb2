"""The tables of the store, as SQLAlchemy Core metadata: the newest schema, which `migrations` brings a database to.

A run stands three times, each for one purpose: its columns and counters in `runs` (lists and filters), its texts in
`texts` (full text), its raw and normalised document in `documents` (everything else). `calls` hold what is filtered by;
arguments and responses are in the document. Times are microseconds since the epoch, UTC.

The rows of a run lie together: their tables are clustered by `run_key`, so that every index ends in the run and the
sequence, which is the order of the lists and what "runs that have such a call" joins on.
"""

from __future__ import annotations

from sqlalchemy import (
    REAL,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

metadata = MetaData()


def _run_key() -> Column[int]:
    return Column("run_key", Integer, ForeignKey("runs.key", ondelete="CASCADE"), nullable=False)


migrations = Table(
    "migrations",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("applied_us", Integer, nullable=False),
    sqlite_strict=True,
)

imports = Table(
    "imports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", Text, nullable=False),
    Column("started_us", Integer, nullable=False),
    Column("seconds", REAL, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("imported", Integer, nullable=False),
    Column("updated", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
    Column("rejected", Integer, nullable=False),
    Column("warnings", Integer, nullable=False),
    Column("redactions", Integer, nullable=False),
    Column("report", Text, nullable=False),  # FileReport as JSON
    sqlite_strict=True,
)

runs = Table(
    "runs",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("run_id", Text, nullable=False, unique=True),
    Column("import_id", Integer, ForeignKey("imports.id"), nullable=False),
    Column("imported_us", Integer, nullable=False),
    Column("file", Text),
    Column("place", Text),
    Column("format", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of the canonical, redacted, stamped document
    Column("task_id", Text),
    Column("check_id", Text),
    Column("scenario", Text),
    Column("agent_id", Text),
    Column("model", Text),
    Column("system_prompt_id", Text),
    Column("status", Text),
    Column("judge_passed", Integer),
    Column("failed", Integer, nullable=False),
    Column("view", Text, nullable=False),
    Column("response_error", Text),
    Column("error_class", Text),  # run layer
    Column("envelope_class", Text),  # of the run's own error
    Column("envelope_code", Text),
    Column("boundary_stage", Text),  # with the two below and the message, the signature that failures are grouped by
    Column("boundary_tool", Text),  # of the call at the boundary
    Column("boundary_class", Text),  # error class of that call, or else of the run
    Column("tool_modes", Text),  # of the declared tools: a JSON object, name to mode; null where none is declared
    Column("started_us", Integer),
    Column("input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("runtime_ms", REAL),
    Column("answer", Text),  # the first 200 characters of the final response
    # counters, so that lists never aggregate
    Column("messages", Integer, nullable=False),
    Column("warnings", Integer, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("failures", Integer, nullable=False),  # calls `failed` or `injected_failure`
    Column("retries", Integer, nullable=False),  # attempts beyond the first of their chain
    Column("exhausted", Integer, nullable=False),  # chains
    Column("gave_up", Integer, nullable=False),  # chains
    Column("undeclared", Integer, nullable=False),  # calls
    Column("malformed", Integer, nullable=False),  # calls
    Column("errors", Integer, nullable=False),  # findings of that severity
    Column("cautions", Integer, nullable=False),  # findings of severity warning
    Column("wasted_ms", REAL, nullable=False),
    # added later, and so last
    Column("boundary_message", Text),  # of a boundary without a class; the fourth part of the signature
    sqlite_strict=True,
)

documents = Table(
    "documents",
    metadata,
    Column("run_key", Integer, ForeignKey("runs.key", ondelete="CASCADE"), primary_key=True),
    Column("raw_size", Integer, nullable=False),  # bytes of the raw document at the head of the blob
    Column("blob", LargeBinary, nullable=False),  # zstd(raw document + run document)
    sqlite_strict=True,
)

# What figures are made of stands first: a scan decodes a row no further than it must.
calls = Table(
    "calls",
    metadata,
    _run_key(),
    Column("sequence", Integer, nullable=False),
    Column("failed", Integer, nullable=False, server_default="0"),  # outcome is `failed` or `injected_failure`
    Column("latency_ms", REAL),
    Column("attempt", Integer, nullable=False),
    Column("wasted_ms", REAL, nullable=False, server_default="0"),  # of a chain, at its first call
    Column("outcome", Text, nullable=False),
    Column("tool_name", Text),
    Column("actor_id", Text),
    Column("actor_status", Text, nullable=False),
    Column("error_class", Text),  # call layer
    Column("status_code", Integer),
    Column("source", Text),
    Column("family", Text),
    Column("lane", Text, nullable=False),
    Column("chain", Integer, nullable=False),
    Column("chain_outcome", Text, nullable=False),
    Column("retryable", Integer, nullable=False),
    Column("stale_token", Integer, nullable=False),
    Column("matched_rule_index", Integer),
    Column("started_us", Integer),
    Column("envelope_class", Text),
    Column("envelope_code", Text),
    PrimaryKeyConstraint("run_key", "sequence"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

chains = Table(
    "chains",
    metadata,
    _run_key(),
    Column("chain", Integer, nullable=False),
    Column("tool_name", Text),
    Column("actor_id", Text),
    Column("outcome", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("overcome", Integer, nullable=False),
    Column("error_class", Text),  # the first class met
    Column("wasted_ms", REAL, nullable=False),
    Column("repeats", Integer),
    PrimaryKeyConstraint("run_key", "chain"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

actors = Table(
    "actors",
    metadata,
    _run_key(),
    Column("position", Integer, nullable=False),
    Column("path", Text),
    Column("parent", Text),
    Column("status", Text, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("subtree_calls", Integer, nullable=False),
    Column("subtree_failed", Integer, nullable=False),
    Column("silent", Integer, nullable=False),
    Column("suggestion", Text),
    PrimaryKeyConstraint("run_key", "position"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

findings = Table(
    "findings",
    metadata,
    _run_key(),
    Column("position", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("message", Text, nullable=False),
    PrimaryKeyConstraint("run_key", "position"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# The key says whose text it is (RUN_SHIFT): a hit of the full-text index names its run and call by itself, and no
# index over the texts is needed. Their rows therefore go by hand, with the full-text entries, when a run goes.
texts = Table(
    "texts",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("part", Text, nullable=False),  # answer, content, thinking, arguments, response, error, warning
    Column("path", Text, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_strict=True,
)

RUN_SHIFT = 24
CALL_SHIFT = 2
OUTSIDE_CALLS = 1 << (RUN_SHIFT - 1)
"""A text's key is `run_key << RUN_SHIFT`, plus `sequence << CALL_SHIFT` and a number for a text of a call, or
OUTSIDE_CALLS and a number for any other: room for two million calls, and for eight million other texts, in one run."""

# Keyed by run_id, not by key: a review outlives the re-import of its run (R42).
reviews = Table(
    "reviews",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("digest", LargeBinary, nullable=False),  # of the run as it was reviewed
    Column("verdict", Text),  # pass, fail, unsure
    Column("actor_id", Text),  # the responsible actor
    Column("step", Text),  # path of the decisive call or message
    Column("failure_mode", Text),
    Column("note", Text),
    Column("reviewer", Text),
    Column("reviewed_us", Integer, nullable=False),
    Column("version", Integer, nullable=False, server_default="1"),  # of the run's review, from 1; it never goes back
    sqlite_strict=True,
)

review_tags = Table(
    "review_tags",
    metadata,
    Column("run_id", Text, ForeignKey("reviews.run_id", ondelete="CASCADE"), nullable=False),
    Column("tag", Text, nullable=False),
    PrimaryKeyConstraint("run_id", "tag"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Every state a review was in: what undoing goes back to.
review_history = Table(
    "review_history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("change", Integer, nullable=False),  # saved in one step, on however many runs: undone in one, too
    Column("digest", LargeBinary, nullable=False),  # of the run as it was reviewed
    Column("reviewed_us", Integer, nullable=False),
    Column("review", Text),  # Review as JSON; null where it was taken away
    sqlite_strict=True,
)

failure_modes = Table(
    "failure_modes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("description", Text),
    sqlite_strict=True,
)

# A queue keeps its runs: what is reviewed does not leave it, and everybody who works on it sees the same one.
queues = Table(
    "queues",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("query", Text, nullable=False),
    Column("sort", Text),
    Column("seed", Integer),  # of a random sample
    Column("made_us", Integer, nullable=False),
    Column("made_by", Text),
    sqlite_strict=True,
)

queue_runs = Table(
    "queue_runs",
    metadata,
    Column("queue_id", Integer, ForeignKey("queues.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),  # from 1
    Column("run_id", Text, nullable=False),
    PrimaryKeyConstraint("queue_id", "position"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

views = Table(
    "views",
    metadata,
    Column("name", Text, primary_key=True),
    Column("page", Text, nullable=False),  # its path in the app
    Column("parameters", Text, nullable=False),  # of the address, as a JSON object of texts
    Column("saved_us", Integer, nullable=False),
    Column("saved_by", Text),
    sqlite_strict=True,
)

for _name in ("import_id", "task_id", "check_id", "scenario", "agent_id", "model", "system_prompt_id", "status",
              "judge_passed", "view", "error_class", "started_us"):  # fmt: skip
    Index(f"runs_{_name}", runs.c[_name])
for _name in ("imported_us", "calls", "failures", "retries", "undeclared", "warnings"):
    # Lists are sorted by these.
    Index(f"runs_{_name}", runs.c[_name])
# Covers the signatures of failures, when they were seen, and failures over time.
Index(
    "runs_boundary_stage",
    *(runs.c[_name] for _name in ("boundary_stage", "boundary_tool", "boundary_class", "boundary_message")),
    runs.c.started_us,
)
# Covers the judge held against the evidence, also by model and by check.
Index("runs_judged", runs.c.judge_passed, runs.c.errors, runs.c.cautions, runs.c.model, runs.c.check_id)
for _name in ("envelope_class", "envelope_code"):
    Index(f"runs_{_name}", runs.c[_name], sqlite_where=runs.c[_name].isnot(None))
for _name in ("exhausted", "malformed", "errors"):
    # Most runs have none, and a filter asks for those that do.
    Index(f"runs_{_name}", runs.c[_name], sqlite_where=text(f"{_name} > 0"))
# Covers the figures above the list of runs, and above the failures.
Index(
    "runs_figures",
    *(runs.c[_name] for _name in ("failed", "view", "errors", "undeclared", "exhausted", "calls")),
    *(runs.c[_name] for _name in ("failures", "retries", "wasted_ms")),
)
for _name in ("outcome", "tool_name", "actor_id", "actor_status", "error_class", "status_code", "source", "family",
              "lane", "chain_outcome", "attempt"):  # fmt: skip
    # In the order of the list within each value, and with what figures are made of and lists are sorted by: a breakdown
    # by one of these walks its index, and neither sorts nor looks rows up.
    Index(
        f"calls_{_name}",
        calls.c[_name],
        calls.c.run_key,
        calls.c.sequence,
        *(calls.c[more] for more in ("failed", "latency_ms", "attempt", "wasted_ms", "started_us") if more != _name),
    )
for _name in ("latency_ms", "started_us"):
    Index(f"calls_{_name}", calls.c[_name])
for _name in ("envelope_class", "envelope_code", "matched_rule_index"):
    Index(f"calls_{_name}", calls.c[_name], sqlite_where=calls.c[_name].isnot(None))
for _name in ("retryable", "stale_token"):
    Index(f"calls_{_name}", calls.c[_name], sqlite_where=text(f"{_name} = 1"))
# Covers the map of failures by tool and class, also where it is narrowed by what else calls are mostly filtered by.
Index(
    "calls_failed",
    *(calls.c[_name] for _name in ("tool_name", "error_class", "failed", "outcome", "source", "status_code")),
    *(calls.c[_name] for _name in ("actor_id", "actor_status")),
    sqlite_where=text("failed = 1"),
)
Index("chains_outcome", chains.c.outcome, chains.c.wasted_ms)
# Covers who acted over all runs.
Index(
    "actors_status",
    *(actors.c[_name] for _name in ("status", "path", "run_key", "calls", "failed", "silent", "suggestion")),
)
Index("findings_kind", findings.c.kind)
Index("findings_severity", findings.c.severity)
# Covers the kinds of errors that the judge passed.
Index("findings_errors", findings.c.kind, sqlite_where=text("severity = 'error'"))
Index("review_tags_tag", review_tags.c.tag)
Index("review_history_run_id", review_history.c.run_id, review_history.c.version)
Index("review_history_change", review_history.c.change)
Index("queue_runs_run_id", queue_runs.c.run_id)

FULL_TEXT = (
    # Without content of its own: what is indexed is the text as `search.segmented` spells it. No column sizes: nothing
    # ranks by length, and they would cost a row each.
    "CREATE VIRTUAL TABLE texts_fts USING fts5(text, content='', columnsize=0, tokenize='unicode61')",
    # Bytes of terms gathered before they are written: bulk loads make few, large segments.
    "INSERT INTO texts_fts(texts_fts, rank) VALUES ('hashsize', 8388608)",
)
"""The statements that make the full-text index; its rowids are those of `texts`."""
