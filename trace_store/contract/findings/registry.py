"""The registry of findings: from it come severity and rule, the pages, and `docs/findings.md`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trace_store.contract.findings import kinds
from trace_store.contract.findings.kinds import Kind

__all__ = ["GROUPS", "KINDS", "Kind", "as_markdown"]

GROUPS: Mapping[str, tuple[Kind, ...]] = {
    "The answer": kinds.ANSWER,
    "Transcript against log": kinds.RECEIPTS,
    "The transcript": kinds.TRANSCRIPT,
    "The log": kinds.CALLS,
    "Tools": kinds.TOOLS,
    "Actors": kinds.ACTORS,
    "The file": kinds.FILE,
}
"""The kinds under their headings, in the order in which findings are listed."""

KINDS: Mapping[str, Kind] = {kind.kind: kind for group in GROUPS.values() for kind in group}
"""The kinds by name."""

_INTRODUCTION = """\
# Findings

This page is generated from `trace_store/contract/findings/kinds.py`. Change it there, and run

    python -c "from trace_store.contract.findings.registry import as_markdown; print(as_markdown(), end='')" \\
        > docs/findings.md

A finding has a kind, a severity, the path that it is about, one sentence, and the rule of [the contract](contract.md)
behind it. Queries filter by kind, so the names of kinds do not change.

*Error*: the run went wrong, or a part of it that its answer depends on. *Warning*: something is not as it should be,
and may have done harm. *Info*: worth knowing, and often harmless.
"""


def as_markdown() -> str:
    """Return all kinds as the text of `docs/findings.md`."""
    lines = [_INTRODUCTION]
    for heading, group in GROUPS.items():
        lines += [f"## {heading}", "", "| kind | severity | rule | |", "|---|---|---|---|"]
        lines += [f"| [`{kind.kind}`](#{kind.kind}) | {kind.severity} | {kind.rule} | {kind.title} |" for kind in group]
        lines.append("")
        for kind in group:
            lines += _section(kind)
    return "\n".join(lines)


def _section(kind: Kind) -> Iterable[str]:
    return (
        f"### {kind.kind}",
        "",
        f"**{kind.title}** ({kind.severity}, {kind.rule}). {kind.meaning}",
        "",
        f"- *Why it matters:* {kind.why_it_matters}",
        f"- *True or false alarm:* {kind.false_alarms}",
        f"- *What to do:* {kind.what_to_do}",
        "",
    )
