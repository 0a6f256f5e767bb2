"""Query text -> typed tree. What cannot be understood raises QueryError with its position and what was meant; no part
of the text is ignored.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from typing import cast, get_args

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import VisitError

from trace_store.errors import QueryError
from trace_store.store.query.fields import Field, Kind, field_named
from trace_store.store.query.full_text import Phrase
from trace_store.store.query.tree import (
    Alternatives,
    Group,
    Negation,
    Node,
    Operator,
    Pattern,
    Query,
    Subtree,
    Term,
    Words,
)
from trace_store.store.query.values import ValueText, read_value

LONGEST_QUERY = 20_000
"""Characters of a query."""

MOST_CONDITIONS = 300
"""Terms, words and values with wildcards in one query: the database bounds the depth of an expression."""

DEEPEST = 8
"""Parentheses inside each other: more than a person reads, and well within the database's stack."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r'\\(?:(["\\])|u([0-9a-fA-F]{4}))')
_KEYWORDS = {
    "OR": "it stands between two terms: a OR b",
    "AND": "terms beside each other are and-ed already: leave it out",
    "NOT": "write -term",
}
_CORRECT_OPERATORS = {"=": ":", "==": ":", "!=": ":", "=>": ">=", "=<": "<="}


def parse(text: str, *, now: datetime | None = None) -> Query:
    """Return the query that `text` means; blank text is no condition. `now` is what relative times count from. Raises
    QueryError."""
    if len(text) > LONGEST_QUERY:
        raise QueryError(f"a query of {len(text)} characters", position=LONGEST_QUERY, hint=f"at most {LONGEST_QUERY}")
    if stray := _UNSTORABLE.search(text):
        raise QueryError(f"{stray[0]!a} is no character of a text", position=stray.start())
    text = text.rstrip()
    return _Reading(text, now or datetime.now(UTC)).query()


@cache
def _grammar() -> Lark:
    return Lark.open("grammar.lark", rel_to=__file__, parser="lalr")


class _Reading(Transformer[Token, Query]):
    """One reading of one text: each method makes a node of its rule's children."""

    def __init__(self, text: str, now: datetime) -> None:
        super().__init__()
        self._text = text
        self._now = now
        self._conditions = 0
        self._tokens: list[Token] = []

    def query(self) -> Query:
        session = _grammar().parse_interactive(self._text)
        open_parentheses: list[Token] = []
        try:
            for token in session.iter_parse():
                self._tokens.append(token)
                if token.type == "_OPEN":
                    open_parentheses.append(token)
                elif token.type == "_CLOSE":
                    del open_parentheses[-1:]
                if len(open_parentheses) > DEEPEST:
                    raise QueryError(
                        "parentheses too deep", position=_start(token), hint=f"at most {DEEPEST} inside each other"
                    )
            end = len(self._text)
            return self.transform(session.feed_token(Token("$END", "", end, end_pos=end)))
        except UnexpectedInput as error:
            raise self._explain(error, open_parentheses) from None
        except VisitError as error:
            raise error.orig_exc from None

    def start(self, roots: list[Group | Alternatives]) -> Query:
        return Query(self._text, roots[0] if roots else Group(()))

    def expression(self, groups: list[Group]) -> Group | Alternatives:
        return groups[0] if len(groups) == 1 else Alternatives(tuple(groups))

    def group(self, operands: list[Node]) -> Group:
        return Group(tuple(operands))

    def negation(self, children: list[Term | Words | Group | Alternatives]) -> Negation:
        return Negation(children[1])

    def parentheses(self, inner: list[Group | Alternatives]) -> Group | Alternatives:
        return inner[0]

    def term(self, children: list[Token | ValueText]) -> Term:
        head, texts = cast("Token", children[0]), cast("list[ValueText]", children[1:])
        field, operator = self._head(head)
        if operator != ":" and len(texts) > 1:
            raise QueryError("a comparison takes one value", position=texts[1].start - 1)
        values = tuple(read_value(field, operator, text, self._now) for text in texts)
        self._count_conditions(1 + sum(isinstance(value, Pattern | Subtree) for value in values), head)
        spans = tuple((text.start, text.end) for text in texts)
        return Term(field, operator, values, spans, _start(head), texts[-1].end)

    def value(self, pieces: list[Token]) -> ValueText:
        parts = [""]
        for piece in pieces:
            if piece.type == "STAR":
                parts.append("")
            else:
                parts[-1] += _literal(piece)
        start, end = _start(pieces[0]), _end(pieces[-1])
        if len(parts) > 1 and "\0" in "".join(parts):
            # SQLite's patterns end at this character.
            raise QueryError("a * beside \\u0000", position=start, hint="write the whole value")
        bare = all(piece.type != "STRING" for piece in pieces)
        return ValueText(tuple(parts), bare, self._text[start:end], start, end)

    def words(self, pieces: list[Token]) -> Words:
        first, last = pieces[0], pieces[-1]
        if first.type == "WORD":
            self._check_word(first, alone=len(pieces) == 1)
        if any(piece.type == "STAR" for piece in pieces[1:-1]):
            raise QueryError("a * inside a word", position=_start(first), hint="it may stand at either end of words")
        self._count_conditions(1, first)
        # Stars inside quotes are signs like any other; the index knows no signs.
        text = "".join("*" if piece.type == "STAR" else _literal(piece) for piece in pieces)
        try:
            Phrase.of(text)
        except QueryError as error:
            raise QueryError(error.message, position=_start(first), hint=error.hint) from None
        return Words(text, _start(first), _end(last))

    def _check_word(self, word: Token, *, alone: bool) -> None:
        if alone and word in _KEYWORDS:
            raise QueryError(f"a lone {word}", position=_start(word), hint=f'{_KEYWORDS[word]}; or quote it: "{word}"')
        if word[0] in ":<>=":
            before, after = self._text[: _start(word)].split(), self._text[_end(word) :].split()
            suggestion = "".join([*before[-1:], word, *after[:1]])
            raise QueryError(
                f"a lone {word}", position=_start(word), hint=f'did you mean {suggestion}? or quote it: "{word}"'
            )
        if word[0] == "-":
            raise QueryError("a - before a -", position=_start(word), hint=f'quote it to look for it: "{word}"')

    def _head(self, head: Token) -> tuple[Field, Operator]:
        name = re.split("[:<>=!]", head, maxsplit=1)[0]
        operator = head[len(name) :]
        position = _start(head)
        term = re.split(r"\s", self._text[position:], maxsplit=1)[0]
        field = field_named(name, position=position, text=None if '"' in term else term)
        if operator not in get_args(Operator):
            minus = "-" if operator == "!=" else ""
            raise QueryError(
                f"{operator} is no operator",
                position=position + len(name),
                hint=f"did you mean {minus}{name}{_CORRECT_OPERATORS[operator]}…?",
            )
        if operator != ":" and field.kind not in (Kind.NUMBER, Kind.TIME):
            raise QueryError(
                f"{name} has no order to compare by", position=position + len(name), hint=f"did you mean {name}:…?"
            )
        return field, cast("Operator", operator)

    def _count_conditions(self, number: int, token: Token) -> None:
        self._conditions += number
        if self._conditions > MOST_CONDITIONS:
            raise QueryError("too many conditions", position=_start(token), hint=f"at most {MOST_CONDITIONS}")

    def _explain(self, error: UnexpectedInput, open_parentheses: list[Token]) -> QueryError:
        """Return a syntax error in the words of the person who made it: what is there, and what was before."""
        token: Token | None = getattr(error, "token", None)
        if self._tokens and token is self._tokens[-1]:
            self._tokens.pop()
        last = self._tokens[-1] if self._tokens else None
        before = last.type if last is not None else ""
        position = cast("int", error.pos_in_stream) if token is None else _start(token)
        character = self._text[position:].lstrip()[:1]
        if character == '"':
            return QueryError("half a quote", position=position, hint='end it with "; inside of it, write \\"')
        if last is not None and before == "HEAD":
            field, operator = self._head(last)
            return QueryError(
                f"a value is missing after {field.name}{operator}",
                position=position,
                hint=f"for example {field.example}; no spaces around {operator}",
            )
        if before == "_COMMA":
            return QueryError("a value is missing at the comma", position=position, hint="field:a,b has no spaces")
        if before == "MINUS":
            return QueryError("a lone -", position=position - 1, hint='write -term without a space, or quote it: "-"')
        if character == ")":
            if before == "_OPEN":
                return QueryError("nothing between ( and )", position=position)
            if before == "_OR":
                return QueryError("a lone OR", position=position, hint=_KEYWORDS["OR"])
            return QueryError("a ) without its (", position=position, hint='quote it to look for it: ")"')
        if not character and open_parentheses:
            return QueryError("a ( that is never closed", position=_start(open_parentheses[-1]), hint="end it with )")
        return QueryError(
            f"{character or 'the end'} cannot stand here",
            position=position,
            hint="put a space between two terms; quote signs to look for them",
        )


def _literal(piece: Token) -> str:
    """Return what the token stands for. Raises QueryError for an escape that stands for half a character."""
    if piece.type != "STRING":
        return str(piece)
    text = _ESCAPED.sub(lambda escape: escape[1] or chr(int(escape[2], 16)), piece[1:-1])
    if _HALF_A_CHARACTER.search(text):
        raise QueryError("half a character", position=_start(piece), hint="write the character itself")
    return text


def _start(token: Token) -> int:
    return cast("int", token.start_pos)


def _end(token: Token) -> int:
    return cast("int", token.end_pos)
