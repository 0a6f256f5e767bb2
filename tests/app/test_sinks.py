"""Run data never becomes Markdown or HTML: no page calls a sink that reads either, and labels name no run unescaped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

APP = Path(__file__).resolve().parents[2] / "app"
FILES = sorted(path for path in APP.rglob("*.py") if path.name != "render.py")

SINKS = {
    "markdown", "write", "write_stream", "caption", "title", "header", "subheader", "html", "iframe", "table", "image",
    "error", "warning", "info", "success", "exception", "toast", "latex", "metric", "badge", "status", "graphviz_chart",
    "mermaid_chart", "chat_message", "logo", "progress", "spinner",
}  # fmt: skip
UNSAFE_COLUMNS = {"MarkdownColumn", "ImageColumn", "LinkColumn", "VideoColumn", "AudioColumn", "ButtonColumn"}
OWN_MODULES = {"render", "state", "self"}
"""Their functions go by names that are sinks elsewhere."""
LABELLED = {
    "button", "pills", "segmented_control", "selectbox", "multiselect", "text_input", "text_area", "expander",
    "popover", "download_button", "file_uploader", "form_submit_button", "checkbox", "toggle", "radio", "tabs",
    "page_link", "link_button", "number_input", "menu_button", "dialog",
}  # fmt: skip
MARKDOWN_OF_OURS = {"title", "heading", "note", "sentence", "empty"}
OWN_WORDS = {"word", "meaning", "label", "title", "description", "noun"}
"""Attributes of our own tables: the glossary, facets, figures, orders, fields."""
QUOTING = {"literal", "counted"}


def calls(path: Path) -> Iterator[tuple[str, str, ast.Call]]:
    """Every call of a name: what it is called on, or the module that a function is from; the name, and the call."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name: str(node.module).rpartition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr=name)):
                yield ast.unparse(base), name, node
            case ast.Call(func=ast.Name(id=name)):
                yield modules.get(name, path.stem), name, node


def is_widget(base: str, call: ast.Call) -> bool:
    """Whether Streamlit may be what is called, and not a function of ours that goes by the same name."""
    return base == "streamlit" or (isinstance(call.func, ast.Attribute) and base.split(".")[0] not in OWN_MODULES)


Names = dict[str, list[ast.expr]]


def is_ours(node: ast.expr, names: Names | None = None) -> bool:
    """Whether Markdown in this expression can only be our own: constants, numbers, the glossary, and `literal`.
    `names` has what each name of the file may stand for."""
    ours = partial(is_ours, names=names)
    match node:
        case ast.Constant():
            return True
        case ast.JoinedStr(values=values) | ast.BoolOp(values=values):
            return all(map(ours, values))
        case ast.FormattedValue(value=value, format_spec=spec):
            return ours(value) or (isinstance(spec, ast.JoinedStr) and is_numeric(spec))
        case ast.BinOp(left=left, right=right):
            return ours(left) and ours(right)
        case ast.IfExp(body=body, orelse=orelse):
            return ours(body) and ours(orelse)
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[ast.GeneratorExp(elt=part)]):
            return ours(part)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="glossary"))):
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in QUOTING | OWN_FUNCTIONS
        case ast.Attribute(attr=name):
            return name in OWN_WORDS
        case ast.Name(id=name):
            values = (names or {}).get(name, [])
            return bool(values) and all(is_ours(value, {**(names or {}), name: []}) for value in values)
        case _:
            return False


def is_numeric(spec: ast.JoinedStr) -> bool:
    """Whether only a number can be formatted so."""
    return ast.unparse(spec)[2:-1].endswith((",", "d", "f"))


def names_of(tree: ast.Module) -> Names:
    """What the names of a file may stand for: their assignments, and a parameter that takes our own words only."""
    found: Names = {}
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                found.setdefault(name, []).append(value)
            case ast.arg(arg=name, annotation=ast.Name(id="LiteralString")):
                found.setdefault(name, []).append(ast.Constant(""))
            case ast.For(target=ast.Tuple(elts=targets), iter=ast.Name(id=table)) if table.isupper():
                found |= {ast.unparse(target): [ast.Constant("")] for target in targets}
    return found


def functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield path, node


def is_own(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "LiteralString"


OWN_FUNCTIONS = {function.name for _, function in functions() if is_own(function.returns)}
"""They promise words of ours; what they return is checked below."""
TAKING_OWN_WORDS = {
    function.name for _, function in functions() if function.args.args and is_own(function.args.args[0].annotation)
}
"""What they are given first is checked like a label."""


def labels(call: ast.Call) -> list[ast.expr]:
    named = [keyword.value for keyword in call.keywords if keyword.arg in {"label", "help", "placeholder"}]
    return [*call.args[:1], *named]


def test_only_render_calls_what_reads_markdown_or_html() -> None:
    violations = [
        f"{path.relative_to(APP)}:{call.lineno}: {base}.{name}"
        for path in FILES
        for base, name, call in calls(path)
        if (name in SINKS and is_widget(base, call)) or name in UNSAFE_COLUMNS
    ]
    assert violations == []


def test_labels_and_sentences_name_nothing_of_a_run_unescaped() -> None:
    violations = [
        f"{path.relative_to(APP)}:{call.lineno}: {name}({ast.unparse(label)})"
        for path in FILES
        for names in [names_of(ast.parse(path.read_text(encoding="utf-8")))]
        for base, name, call in calls(path)
        if (name in LABELLED and is_widget(base, call))
        or f"{base}.{name}" in TAKING_OWN_WORDS
        or (base == "render" and name in MARKDOWN_OF_OURS)
        for label in labels(call)
        if not is_ours(label, names)
    ]
    assert violations == []


def test_functions_that_promise_our_words_return_nothing_else() -> None:
    violations = [
        f"{path.name}: {function.name}: {ast.unparse(node)}"
        for path, function in functions()
        if is_own(function.returns)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value and not is_ours(node.value, names_of(ast.Module([function], [])))
    ]
    assert violations == []
    assert "count_line" in OWN_FUNCTIONS


@pytest.mark.parametrize(
    ("source", "ours"),
    [
        ("'plain'", True),
        ("f'{count:,} calls'", True),
        ("f'{render.literal(name)} {count:,}'", True),
        ("f'{run.run_id}'", False),
        ("name", False),
        ("f'{name}'", False),
        ("term.word", True),
        ("call.tool_name", False),
    ],
)
def test_the_rule_itself_tells_our_words_from_a_run_s(source: str, ours: bool) -> None:
    assert is_ours(ast.parse(source, mode="eval").body) is ours
