"""Writes the sample runs and the table in their README. Run it from the project's root: `python -m sample_runs.make`.

The output depends on nothing but this folder: no clock, no unseeded randomness. A test holds the committed files
against it byte by byte.
"""

from __future__ import annotations

import json
from pathlib import Path

from sample_runs import billing, coding, nightly, research, support, travel
from sample_runs.expected import FINDINGS
from sample_runs.story import JSON, Story

FOLDER = Path(__file__).parent
README = "README.md"
TABLE_STARTS, TABLE_ENDS = "<!-- table: made by make.py -->", "<!-- end of table -->"
NIGHTLY = "nightly-check.json"
DOMAINS = (support, travel, coding, research, billing)
ALONE = {
    "support-thin-answer": "support-thin-answer.json",
    "research-note": "research-note.json",
    "research-long-report": "research-long-report.json",
}
"""Runs that stand in a file of their own, as one JSON document."""


def samples() -> dict[str, list[Story]]:
    """Return every sample run, by the name of its file."""
    files: dict[str, list[Story]] = {}
    for domain in DOMAINS:
        suffix = "json" if domain is travel else "jsonl"
        name = f"{domain.__name__.rpartition('.')[2]}.{suffix}"
        for tell in domain.RUNS:
            story = tell()
            files.setdefault(ALONE.get(story.run_id, name), []).append(story)
    files[NIGHTLY] = [story for _, stories in nightly.scenarios() for story in stories]
    return files


def contents() -> dict[str, str]:
    """Return the text of every file that is made, by its path in this folder."""
    files = samples()
    texts = {f"runs/{name}": _text(name, [story.body for story in stories]) for name, stories in files.items()}
    texts[f"runs/{NIGHTLY}"] = _pretty(nightly.rollup(nightly.scenarios()))
    before, _, rest = (FOLDER / README).read_text("utf-8").partition(TABLE_STARTS)
    texts[README] = f"{before}{TABLE_STARTS}\n{table(files)}{TABLE_ENDS}{rest.partition(TABLE_ENDS)[2]}"
    return texts


def _text(name: str, bodies: list[JSON]) -> str:
    if name.endswith(".jsonl"):
        return "".join(json.dumps(body, ensure_ascii=False) + "\n" for body in bodies)
    return _pretty(bodies[0] if name in ALONE.values() else {"runs": bodies})


def _pretty(document: JSON) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def table(files: dict[str, list[Story]]) -> str:
    """Return what each run shows, as a Markdown table a file."""
    lines = []
    for name, stories in files.items():
        lines += ["", f"### {name}", "", "| run | what it shows | findings |", "|---|---|---|"]
        lines += [f"| {_name(name, story)} | {story.shows} | {_findings(story.run_id)} |" for story in stories]
    return "\n".join([*lines, "", ""])


def _name(file: str, story: Story) -> str:
    return f"`{story.run_id}`" if isinstance(story.body, dict) else f"no id of its own; its file is `{file}`"


def _findings(run_id: str) -> str:
    return ", ".join(f"`{kind}`" for kind in FINDINGS.get(run_id, "").split()) or "none"


def main() -> None:
    for name, text in contents().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
