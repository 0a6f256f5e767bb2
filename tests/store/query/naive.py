"""A second reading of docs/query.md, in plain Python over plain values: slow, and nothing shared with the compiler.

Queries are nested tuples: `("term", field, operator, values)`, `("words", text)`, `("not", node)`, and groups
`("and", nodes)` and `("or", groups)`, which are written in parentheses wherever they stand inside another.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.store.query.world import Call, Run

Node = tuple[Any, ...]

CALL_COLUMNS = {
    "error_class": "error_class", "source": "source", "tool": "tool_name", "actor": "actor_id", "outcome": "outcome",
    "latency_ms": "latency_ms", "status": "status_code", "attempt": "attempt", "started": "started_us",
}  # fmt: skip
RUN_COLUMNS = {"run": "run_id", "run_status": "status", "view": "view", "failures": "failures", "started": "started_us"}
FLAGS = {"retryable": "retryable", "failed": "failed"}


def written(node: Node, *, inner: bool = False) -> str:
    """The query text that says `node`."""
    match node:
        case ("term", field, operator, values):
            return f"{field}{operator}{','.join(values)}"
        case ("words", text):
            return str(text)
        case ("not", operand):
            return f"-{written(operand, inner=True)}"
        case ("and", nodes):
            text = " ".join(written(operand, inner=True) for operand in nodes)
        case (_, groups):
            text = " OR ".join(" ".join(written(operand, inner=True) for operand in group[1]) for group in groups)
    return f"({text})" if inner else text


def find(node: Node, world: list[Run], listed: str) -> list[Any]:
    """What the query finds in `world`, named as `world.matching_…` names it."""
    match listed:
        case "runs":
            return [run.run_id for run in world if of_run(node, run)]
        case "calls":
            return [
                (run.run_id, sequence)
                for run in world
                for sequence, call in enumerate(run.calls)
                if of_call(node, run, call)
            ]
        case _:
            return [
                (run.run_id, position)
                for run in world
                for position, finding in enumerate(run.findings)
                if of_run(node, run, finding)
            ]


def of_call(node: Node, run: Run, call: Call) -> bool:
    match node:
        case ("term", field, operator, values):
            told = call_values(field, call) if field in CALL_COLUMNS or field == "retryable" else run_values(field, run)
            return any(allows(operator, value, told) for value in values)
        case ("words", text):
            return says(text, [call.said])
        case ("not", operand):
            return not of_call(operand, run, call)
        case ("and", nodes):
            return all(of_call(operand, run, call) for operand in nodes)
    return any(of_call(group, run, call) for group in node[1])


def of_run(node: Node, run: Run, finding: dict[str, Any] | None = None) -> bool:
    """`finding` is the one listed, where findings are."""
    match node:
        case ("or", groups):
            return any(of_run(group, run, finding) for group in groups)
        case ("and", nodes):
            return of_group(nodes, run, finding)
        case ("not", operand):
            return not of_run(operand, run, finding)
        case ("words", text):
            if finding is not None:
                return str(text).strip('"*').lower() in str(finding["message"]).lower()
            return says(text, [run.said, *(call.said for call in run.calls)])
    _, field, operator, values = node
    told = [finding[field_column(field)]] if finding and field in ("finding", "severity") else run_values(field, run)
    return any(allows(operator, value, told) for value in values)


def of_group(nodes: list[Node], run: Run, finding: dict[str, Any] | None) -> bool:
    asked = [node for node in nodes if speaks_of_calls(node)]
    denied = [node[1] for node in nodes if node[0] == "not" and speaks_of_calls(node[1])]
    others = [node for node in nodes if node not in asked and not (node[0] == "not" and speaks_of_calls(node[1]))]
    if not all(of_run(node, run, finding) for node in others):
        return False
    fits = [all(of_call(node, run, call) for node in asked) for call in run.calls]
    clean = [not any(of_call(node, run, call) for node in denied) for call in run.calls]
    if asked:
        return any(fit and free for fit, free in zip(fits, clean, strict=True))
    return all(clean)


def speaks_of_calls(node: Node) -> bool:
    return node[0] == "term" and node[1] != "started" and (node[1] in CALL_COLUMNS or node[1] == "retryable")


def call_values(field: str, call: Call) -> list[Any]:
    if field in FLAGS:
        return ["true" if call.columns.get(FLAGS[field]) else "false"]
    value = call.columns.get(CALL_COLUMNS[field], {"outcome": "ok", "attempt": 1}.get(field))
    return [] if value is None else [value]


def run_values(field: str, run: Run) -> list[Any]:
    columns = {"run_id": run.run_id, "view": "rich", "failures": 0, "failed": 0} | run.columns
    review = run.review or {}
    told: list[Any]
    match field:
        case "failed":
            told = ["true" if columns["failed"] else "false"]
        case "verdict":
            told = [{"1": "passed", "0": "failed", "None": None}[str(columns.get("judge_passed"))]]
        case "tokens":
            counts = [columns.get("input_tokens"), columns.get("output_tokens")]
            told = [sum(count for count in counts if count is not None) if counts != [None, None] else None]
        case "envelope_class":
            told = [columns.get(field), *(call.columns.get(field) for call in run.calls)]
        case "finding" | "severity":
            told = [finding.get(field_column(field)) for finding in run.findings]
        case "reviewed":
            told = ["true" if run.review else "false"]
        case "review":
            told = [review.get("verdict"), "stale" if review.get("digest", b"now") != b"now" else None]
        case "failure_mode":
            told = [review.get(field)]
        case "tag":
            told = list(run.tags)
        case _:
            told = [columns.get(RUN_COLUMNS[field])]
    return [value for value in told if value is not None]


def field_column(field: str) -> str:
    return {"finding": "kind"}.get(field, field)


def allows(operator: str, wanted: str, told: list[Any]) -> bool:
    """Whether one of the values `told` is what is `wanted`."""
    if wanted == "*":
        return bool([value for value in told if value != "stale"])
    if wanted == "none":
        return not [value for value in told if value != "stale"]
    return any(agrees(operator, wanted, value) for value in told)


def agrees(operator: str, wanted: str, value: Any) -> bool:
    if isinstance(value, int | float):
        if re.match(r"\d{4}-", wanted):
            # A time: as coarse as what is wanted, ISO texts order as times do.
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=value)
            return compares(operator, moment.isoformat()[: len(wanted)], wanted)
        return compares(operator, value, float(wanted))
    if wanted.endswith("/**"):
        node = wanted.removesuffix("/**")
        return agrees(":", node, value) or agrees(":", f"{node}/*", value)
    pieces = re.findall(r'"((?:[^"\\]|\\.)*)"|(\*)|([^"*]+)', wanted)
    literal = (re.sub(r"\\(.)", r"\1", quoted) or bare for quoted, _, bare in pieces)
    pattern = "".join(re.escape(text) if text else ".*" for text in literal)
    return re.fullmatch(pattern, value, re.DOTALL) is not None


def compares(operator: str, left: Any, right: Any) -> bool:
    outcome: bool = {
        ":": left == right, ">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right,
    }[operator]  # fmt: skip
    return outcome


def says(words: str, texts: list[str]) -> bool:
    wanted = words.strip('"')
    if wanted.endswith("*"):
        return any(token.startswith(wanted[:-1]) for text in texts for token in text.split())
    return any(f" {wanted} " in f" {text} " for text in texts)
