"""Text of a run as Markdown: what becomes markup, and that nothing hostile does."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.markdown import DEEPEST, LONGEST, MOST_CELLS, MOST_MARKS, TAGS, as_html


class Elements(HTMLParser):
    """The elements of an HTML text with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.foreign: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.foreign.append(data)

    def handle_decl(self, decl: str) -> None:
        self.foreign.append(decl)

    def handle_pi(self, data: str) -> None:
        self.foreign.append(data)

    def unknown_decl(self, data: str) -> None:
        self.foreign.append(data)


def elements(text: str) -> Elements:
    html = as_html(text)
    assert html is not None
    return Elements(html)


def assert_harmless(text: str) -> None:
    built = elements(text)
    assert {tag for tag, _ in built.found} <= TAGS
    assert not built.foreign
    for tag, attributes in built.found:
        assert attributes.keys() <= ({"start"} if tag == "ol" else set())
        assert (attributes.get("start") or "0").isdecimal()


# What Markdown means


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**b** *e* ~~s~~ `c`", "<p><strong>b</strong> <em>e</em> <s>s</s> <code>c</code></p>"),
        ("# a\n### b\n###### c", "<h4>a</h4>\n<h6>b</h6>\n<h6>c</h6>"),
        ("one\ntwo", "<p>one<br>\ntwo</p>"),
        ("7. a\n8. b", '<ol start="7">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("> q", "<blockquote>\n<p>q</p>\n</blockquote>"),
        ("```py\nx < 1\n```", "<pre><code>x &lt; 1\n</code></pre>"),
        ("|a|b|\n|-|-|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
         "<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"),
        ("", ""),
    ],
)  # fmt: skip
def test_markdown_becomes_markup_below_the_headings_of_the_page(text: str, html: str) -> None:
    assert (as_html(text) or "").strip() == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[here](https://example.com/a)", "here <code>https://example.com/a</code>"),
        ("[run](javascript:alert(1))", "run <code>javascript:alert(1)</code>"),
        ("[d](data:text/html,x)", "d <code>data:text/html,x</code>"),
        ("[f](file:///etc/passwd 'title')", "f <code>file:///etc/passwd</code>"),
        ("[](https://example.com)", " <code>https://example.com</code>"),
        ("[**a** [b](c)](d)", "[<strong>a</strong> b <code>c</code>](d)"),
        ("![cat](https://example.com/c.png)", "[image: cat] <code>https://example.com/c.png</code>"),
        ("![](data:image/png;base64,AAAA)", "[image] <code>data:image/png;base64,AAAA</code>"),
        ("<https://example.com>", "https://example.com"),
        ("<javascript:alert(1)>", "javascript:alert(1)"),
        ("https://example.com", "https://example.com"),
    ],
)
def test_a_link_and_a_picture_are_words_and_the_address_beside_them(text: str, html: str) -> None:
    assert as_html(text) == f"<p>{html}</p>\n"


def test_a_reference_stays_as_it_is_written() -> None:
    built = elements("[a][1] and [1]\n\n[1]: javascript:alert(1)")
    assert built.text == "[a][1] and [1]\n[1]: javascript:alert(1)\n"


# What is hostile

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<svg/onload=alert(1)>",
    "<!-- hidden --> <?php x ?> <![CDATA[x]]> <!DOCTYPE html>",
    '<p style="position:fixed" onclick="x()">p</p>',
    "<iframe srcdoc='<script>x</script>'></iframe>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x&#62; &#x3c;b&#x3e;",
    '[x](" onmouseover="alert(1))',
    '[x](<a" onmouseover="alert(1)>)',
    '![x" onerror="alert(1)](y" onerror="alert(1))',
    "`</code><script>alert(1)</script>`",
    '```"><script>alert(1)</script>\n</code></pre><script>\n```',
    "</code></pre></div><script>alert(1)</script>",
    "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
    "[a](java\nscript:alert(1)) [b](java&#10;script:alert(1)) [c](vbscript:x)",
    '1. a\n\n999999999. <li value=1 style="x">',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_of_a_run_is_text(text: str) -> None:
    assert_harmless(text)


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_what_would_be_an_element_is_read_as_it_is_written(text: str) -> None:
    assert elements(text).text.strip() == text


def test_an_entity_is_its_character_and_no_element() -> None:
    built = elements("&lt;script&gt;x&lt;/script&gt; &#60;b&#62;")
    assert built.text == "<script>x</script> <b>\n"
    assert built.found == [("p", {})]


PIECES = st.sampled_from(
    [*HOSTILE, "[", "]", "(", ")", "![", "](", "<", ">", '"', "'", "`", "```\n", "\n", "\n\n", "> ", "- ", "1. ",
     "    ", "|", "|-|-|\n", "**", "_", "~~", "# ", "&", "&#0;", "\\", "javascript:", "data:", "href=", " on=", "\t"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=24).map("".join))
@example("".join(HOSTILE))
@example("\x00<\x00script>")
def test_no_text_gives_an_element_or_an_attribute_outside_the_list(text: str) -> None:
    assert_harmless(text)


# What would take too long


@pytest.mark.parametrize(
    "text",
    [
        "x" * (LONGEST + 1),
        "[" * (MOST_MARKS + 1),
        "`a" * (MOST_MARKS + 1),
        "a\n" * (MOST_MARKS + 1),
        "|" + "a|" * 200 + "\n|" + "-|" * 200 + "\n" + "|x\n" * (MOST_CELLS // 200),
    ],
    ids=["long", "brackets", "backticks", "lines", "cells"],
)
def test_a_text_that_would_hold_up_the_page_is_not_rendered(text: str) -> None:
    assert as_html(text) is None


def test_what_is_just_within_the_limits_is_rendered() -> None:
    assert elements("x" * LONGEST).text == "x" * LONGEST + "\n"
    assert elements("[" * MOST_MARKS).text == "[" * MOST_MARKS + "\n"
    tables = ("|a|b|\n|-|-|\n" + "|c|d|\n" * 98 + "\n") * 10
    assert [tag for tag, _ in elements(tables).found].count("td") == 2 * 98 * 10


def test_a_row_fills_up_no_more_cells_than_the_limit() -> None:
    width = 80
    text = "|" + "a|" * width + "\n|" + "-|" * width + "\n" + "|x\n" * 90
    assert [tag for tag, _ in elements(text).found].count("td") == 90 * width < MOST_CELLS


@pytest.mark.parametrize("piece", ["> ", "- ", "1. "])
def test_nesting_is_rendered_to_its_limit_and_not_beyond(piece: str) -> None:
    assert_harmless(piece * 4 + "x")
    assert as_html(piece * DEEPEST + "x") is None


def test_one_address_cannot_be_made_to_stand_a_thousand_times() -> None:
    text = "[a]: https://example.com/" + "x" * 20_000 + "\n\n" + "[a]" * 1_000
    assert len(as_html(text) or "") < 2 * len(text)
