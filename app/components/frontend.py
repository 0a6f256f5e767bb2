"""The browser side of a component: its script and style sheet, the data it is sent, and the path it leads to.

Streamlit takes one script and one style sheet a component. Ours are written as several small files, without a build
step: they are joined in the order given, the `shared/` ones first, and run as one module. So a file may use what an
earlier one declares, only the last one exports, and names are unique over the files of a component.

Streamlit calls a component again on every rerun of the page. Ten thousand messages are not worth parsing each time, so
the body of a payload travels as bytes behind a digest: the browser keeps what it has built as long as the digest stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict, cast

import orjson
import streamlit as st

from app.glossary import Colour, Term
from trace_store.model import JSON

FOLDER = Path(__file__).parent
TONES: Mapping[Colour, str] = {
    "green": "ok",
    "yellow": "warn",
    "red": "bad",
    "violet": "injected",
    "orange": "undeclared",
    "blue": "soft",
    "gray": "soft",
}
"""The class of the style sheet (`shared/theme.css`) for each colour of the glossary."""


class Word(TypedDict):
    """A term of the glossary as a component shows it."""

    word: str
    tone: str
    meaning: str


def as_word(term: Term) -> Word:
    """Return the term for a component."""
    return Word(word=term.word, tone=TONES[term.colour], meaning=term.meaning)


def read_files(*names: str) -> str:
    """Return the files `names` (below `app/components`) as one text. Raises FileNotFoundError for a missing one."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def read_script(*names: str, **terms: Mapping[str, Term]) -> str:
    """Return the script made of these files. Its constant `WORDS` has the `terms`: tables of the glossary, by name."""
    # Run data is looked up in these tables, and may be called "constructor": they inherit nothing.
    words = {
        name: {"__proto__": None, **{key: as_word(term) for key, term in table.items()}}
        for name, table in terms.items()
    }
    return f"const WORDS = {orjson.dumps(words).decode()};\n{read_files(*names)}"


def encode_payload(body: object, **head: JSON) -> bytes:
    """Return `head`, with the body's `digest`, as one line of JSON; then `body`. Raises TypeError for other values."""
    content = orjson.dumps(body)
    line: Mapping[str, JSON] = {"digest": blake2b(content, digest_size=12).hexdigest(), **head}
    return orjson.dumps(line) + b"\n" + content


def encode_json(value: JSON) -> str:
    """Return a JSON value as compact text. Numbers keep their Python form: the browser shows the text and never parses
    it, so that 1.0 stays 1.0 and no digit of a long integer is lost."""
    return orjson.dumps(value).decode()


def get_jump(key: str) -> str | None:
    """Return the path that the reader asked the component `key` for; only known in its `on_jump`."""
    jump = st.session_state[key].get("jump")
    return cast("str", jump["path"]) if isinstance(jump, dict) and isinstance(jump.get("path"), str) else None
