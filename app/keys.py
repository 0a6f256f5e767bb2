"""The table of keyboard shortcuts: what each key does, on which page, and the control that it stands for.

A key has no action of its own. It presses or focuses a control that a mouse can reach too, so that its tooltip and its
disabled state hold for the key. The component `keys` listens, and shows the
table under `?`; `docs/keys.md` is made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app import state

Act: TypeAlias = Literal["press", "focus", "go", "help", "own"]
"""`press` and `focus` a control; `go` to a page; `help` opens the list; `own`: a component answers to it by itself,
while its part has the focus."""

PAGES = {
    "Runs": state.RUNS_PAGE,
    "Run": state.RUN_PAGE,
    "Calls": state.CALLS_PAGE,
    "Failures": state.FAILURES_PAGE,
    "Actors": state.ACTORS_PAGE,
    "Compare": state.COMPARE_PAGE,
    "Review": state.REVIEW_PAGE,
    "Judge": state.JUDGE_PAGE,
    "Imports": state.IMPORTS_PAGE,
}
"""The pages by their titles, in the order of the navigation."""


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` is one key as the browser names it, two after another ("g r"), or a chord
    ("Ctrl+Enter"), which holds in text fields too. `pages` are titles; empty means all.

    `target` is a CSS selector; the first element in sight that it finds is meant. `host >> inner` looks into the
    component below `host`; `one || other` means the other where the one is not in sight. Of `go`, it is the
    title of the page.
    """

    keys: str
    does: str
    act: Act
    target: str = ""
    pages: tuple[str, ...] = ()


_RUN = ("Run",)
_SEARCHED = ("Runs", "Calls", "Failures", "Actors", "Review", "Judge")
_WITH_SIDEBAR = ("Runs", "Run", "Calls", "Review")
_TRANSCRIPT = ".st-key-run-transcript"
_COMPARISON = ".st-key-compare-steps"
_PANELS = ("Transcript", "Calls", "Actors", "Timeline", "Findings", "Raw")

_GOING = {
    "Runs": "r",
    "Run": "o",
    "Calls": "c",
    "Failures": "f",
    "Actors": "a",
    "Compare": "m",
    "Review": "v",
    "Judge": "j",
    "Imports": "i",
}


def _button(key: str) -> str:
    """Return the selector of the button of a widget that the app gave this key."""
    return f".st-key-{key} button"


REVIEW_FORM = ".st-key-review"
"""The form whose fields Escape leaves, and Enter where it chooses: the next key is a command again."""


def _field(name: str) -> str:
    """Return the selector of a field of the review."""
    return f"{REVIEW_FORM} [class*=st-key-review-{name}-] input"


KEYS = (
    Key("j", "Next run of the list", "press", _button("run-next"), _RUN),
    Key("k", "Previous run of the list", "press", _button("run-previous"), _RUN),
    *(
        Key(str(place), f"Open the {panel} panel", "press", f"{_button('run-panel')}:nth-of-type({place})", _RUN)
        for place, panel in enumerate(_PANELS, start=1)
    ),
    Key("t", "Find in the run", "focus", f"{_TRANSCRIPT} >> [data-part=find]", _RUN),
    Key("d", "Next failure in the transcript", "press", f"{_TRANSCRIPT} >> [data-part=failure]", _RUN),
    Key("i", "Show or hide findings and actors beside the transcript", "press", _button("run-side"), _RUN),
    Key("Escape", "Close the findings and actors", "press", _button("run-side-close"), _RUN),
    Key("v", "Show exact text, or Markdown and JSON laid out", "press", f"{_TRANSCRIPT} >> [data-part=exact]", _RUN),
    Key("p", "Verdict: pass", "press", _button("review-pass"), _RUN),
    Key("f", "Verdict: fail", "press", _button("review-fail"), _RUN),
    Key("u", "Verdict: unsure", "press", _button("review-unsure"), _RUN),
    Key("e", "Write a note", "focus", f"{REVIEW_FORM} textarea", _RUN),
    Key("a", "Choose the responsible actor", "focus", _field("actor_id"), _RUN),
    Key("m", "Choose the failure mode", "focus", _field("failure_mode"), _RUN),
    Key("l", "Write tags", "focus", _field("tags"), _RUN),
    Key("w", "Write your name as the reviewer", "focus", _field("reviewer"), _RUN),
    Key(
        "x",
        "Mark the outlined step as decisive",
        "press",
        f"{_TRANSCRIPT} >> [data-part=decide] || {_button('review-decisive')}",
        _RUN,
    ),
    Key("s", "Save the review", "press", _button("review-save"), _RUN),
    Key("Ctrl+Enter", "Save the review, also while writing the note", "press", _button("review-save"), _RUN),
    Key("n", "Save, and open the next run without a review", "press", _button("review-save-next"), _RUN),
    Key("n", "Next difference", "press", f"{_COMPARISON} >> [data-part=next]", ("Compare",)),
    Key("p", "Previous difference", "press", f"{_COMPARISON} >> [data-part=previous]", ("Compare",)),
    Key("/", "Search", "focus", ".st-key-query-text input", _SEARCHED),
    *(Key(f"g {letter}", f"Go to {page}", "go", page) for page, letter in _GOING.items()),
    Key(
        "[",
        "Hide or show the sidebar",
        "press",
        "[data-testid=stSidebarCollapseButton] button, [data-testid=stExpandSidebarButton]",
        _WITH_SIDEBAR,
    ),
    Key("?", "Show the keys", "help"),
)


def of_page(page: str) -> list[Key]:
    """Return the keys that work on a page, its own first."""
    return [key for key in KEYS if page in key.pages] + [key for key in KEYS if not key.pages]


def as_markdown() -> str:
    """Return the table as the text of `docs/keys.md`."""
    lines = [
        "# Keys",
        "",
        "Made from `app/keys.py`: change it there, and run",
        "`python -c \"from app.keys import as_markdown as text; print(text(), end='')\" > docs/keys.md`.",
        "",
        "Press `?` in the app to see the keys of a page, or to switch them off for your browser. In a text field keys",
        "type letters as usual; only `Ctrl+Enter` still works.",
    ]
    for heading, keys in _by_pages().items():
        lines += ["", f"## {heading}", "", "| key | |", "|---|---|"]
        lines += [f"| `{entry.keys}` | {entry.does} |" for entry in keys]
    return "\n".join(lines) + "\n"


def _by_pages() -> dict[str, list[Key]]:
    tables: dict[str, list[Key]] = {}
    for key in KEYS:
        tables.setdefault(", ".join(key.pages) or "Every page", []).append(key)
    return tables
