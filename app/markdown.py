"""Text of a run as Markdown: the only module in which run data becomes markup.

There are three lines of defence. The parser takes no HTML, makes no links of bare addresses, knows no references
(a few characters could stand for very many), and emits neither anchors nor images: what they point to is text beside
their words. The output passes an allow-list of tags without any
attribute but a list's first number. And the browser builds the elements anew from an allow-list of its own
(`components/shared/markdown.js`).

Pure: no Streamlit, no store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

LONGEST = 50_000
"""Characters of one text that are rendered."""
MOST_MARKS = 8_000
"""Signs and line breaks in one text that is rendered: they, not its letters, are what the parser spends its time on."""
MOST_CELLS = 8_000
"""Cells of all tables of one text. A row that lacks cells is filled up, so that few characters could make many."""
DEEPEST = 24
"""Lists and quotes inside each other, by the parser's count; it drops what lies deeper."""
FIRST_HEADING = 4
"""Headings of a message are below those of the page: its first level is the page's fourth."""

TAGS = {
    "p", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "hr", "br",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


_MARK = re.compile(r"[!-/:-@\[-`{-~\r\n]")
_LINE_END = re.compile(r"\r\n?|\n")


class _Renderer(RendererHTML):
    """HTML without anchors and images."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return ""

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        level = tokens[idx].level
        opening = next(one for one in tokens[:idx][::-1] if one.type == "link_open" and one.level == level)
        return "" if opening.info == "auto" else _target(opening.attrGet("href"))

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        words = self.renderInlineAsText(token.children, options, env) if token.children else ""
        return f"[image{': ' if words else ''}{escapeHtml(words)}]{_target(token.attrGet('src'))}"


def _target(address: str | int | float | None) -> str:
    return f" <code>{escapeHtml(str(address))}</code>" if address else ""


def _demoted(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1:]) + FIRST_HEADING - 1)}"


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Accept every address: all are shown as text, even javascript: and data:, which links leave out."""
        return True


def _parser() -> MarkdownIt:
    options = {"html": False, "linkify": False, "typographer": False, "breaks": True, "maxNesting": DEEPEST}
    parser = _Parser("commonmark", options, renderer_cls=_Renderer).enable(["table", "strikethrough"])
    parser.disable("reference")
    return parser


_PARSER = _parser()


def _cells(text: str) -> int:
    """Return the most cells that a text's tables can have: each ends at an empty line, and is as wide as its head."""
    cells = rows = width = 0
    for line in [*_LINE_END.split(text), ""]:
        if line.strip():
            rows, width = rows + 1, max(width, line.count("|"))
        else:
            cells, rows, width = cells + rows * width, 0, 0
    return cells


@lru_cache(maxsize=256)
def as_html(text: str) -> str | None:
    """Return the text as HTML of `TAGS` alone; null for one that is longer than `LONGEST`, has more than `MOST_MARKS`
    or `MOST_CELLS`, or nests deeper than `DEEPEST`: the reader has its exact text."""
    if len(text) > LONGEST or len(_MARK.findall(text)) > MOST_MARKS or _cells(text) > MOST_CELLS:
        return None
    tokens = _PARSER.parse(text)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return None
    _demoted(tokens)
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return nh3.clean(html, tags=TAGS, attributes={"ol": {"start"}}, link_rel=None, url_schemes=set())
