"""The registry of findings: from it come severity and rule, the pages, and `docs/findings.md`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trace_store.evidence.findings import kinds
from trace_store.evidence.findings.kinds import Kind

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

This page is generated from `trace_store/evidence/findings/kinds.py`. Change it there, and run

    python -c "from trace_store.evidence.findings.registry import as_markdown; print(as_markdown(), end='')" \\
        > docs/findings.md

One finding is a kind, a severity, the path it rests on, one sentence, and the rule of [the contract](contract.md)
behind it. People filter by kinds, so that their names stay.

*Error*: the run, or a part that its answer needs, went wrong. *Warning*: something is not as it should be, and may have
done harm. *Info*: worth knowing, often harmless.
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
        f"**{kind.title}** ({kind.severity}, {kind.rule}). {kind.seen}",
        "",
        f"- *Why it matters:* {kind.matters}",
        f"- *True or false alarm:* {kind.check}",
        f"- *What to do:* {kind.todo}",
        "",
    )
