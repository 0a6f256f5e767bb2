"""The facts of an answer as components get them: spans in JavaScript's units, and where each was found."""

from __future__ import annotations

from app.components.answer import list_facts
from app.components.transcript import build_transcript
from tests.app.runs import a_run
from trace_store.model import JSON, GroundedFact, Grounding, Message, Path, Run


def grounded(answer: str, *facts: tuple[str, str | None], **fields: JSON) -> Run:
    """A run whose answer states these facts, each with where it was found."""
    entries = [
        GroundedFact(text, answer.index(text), answer.index(text) + len(text), None if path is None else Path(path))
        for text, path in facts
    ]
    return a_run(final_response=answer, grounding=Grounding(entries), **fields)


def test_spans_are_counted_in_utf_16_units() -> None:
    answer = "\U0001f600 42 and \U0001f680\U0001f680 79.50 é"
    facts = list_facts(grounded(answer, ("42", "calls[0].response"), ("79.50", None)))
    units = answer.encode("utf-16-le")
    cut = [units[2 * fact["start"] : 2 * fact["end"]].decode("utf-16-le") for fact in facts]
    assert cut == ["42", "79.50"]
    assert facts[0]["path"] == "calls[0].response"
    assert "path" not in facts[1]


def test_without_anything_to_ground_on_there_are_no_facts() -> None:
    assert list_facts(a_run(final_response="42 apples", grounding=None)) == []
    assert list_facts(a_run(final_response=None, grounding=Grounding([]))) == []


def test_the_transcript_marks_them_in_the_answer_of_its_own() -> None:
    items = build_transcript(grounded("It is 42.", ("42", None)))["items"]
    assert items[-1].get("facts") == [{"start": 6, "end": 8}]


def test_the_transcript_marks_them_in_the_last_message_where_that_is_the_answer() -> None:
    messages = [Message(0, "user", "how many?"), Message(1, "assistant", "It is 42.")]
    items = build_transcript(grounded("It is 42.", ("42", "messages[0]"), messages=messages))["items"]
    assert items[1].get("facts") == [{"start": 6, "end": 8, "path": "messages[0]"}]
    assert "facts" not in items[-1]
