"""Reviews out of files: JSONL and CSV, and what is wrong with a line."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.exports.tables import ReviewFormat, write_reviews
from trace_store.model import Review
from trace_store.readers.reviews import ReviewLine, ReviewRejection, read_reviews

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
said = st.builds(
    Review,
    verdict=st.sampled_from(["pass", "fail", "unsure", None]),
    actor_id=words,
    step=words,
    failure_mode=words,
    note=words,
    reviewer=words,
    tags=st.lists(words, max_size=3, unique=True).map(tuple),
    reviewed_at=st.just("2026-04-01T09:00:00.000007Z"),
)


def read(text: str | bytes) -> list[Any]:
    return list(read_reviews(io.BytesIO(text.encode() if isinstance(text, str) else text)))


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@given(review=said, run_id=words.filter(bool))
def test_what_is_written_is_read_as_it_was(form: ReviewFormat, review: Review, run_id: str) -> None:
    out = io.BytesIO()
    assert write_reviews([(run_id, review)], out, form) == 1
    [back] = read(out.getvalue())
    assert isinstance(back, ReviewLine), back
    assert (back.run_id, back.tags) == (run_id, review.tags)
    assert back.fields == {name: getattr(review, name) or None for name in back.fields}
    assert back.reviewed_us == 1_775_034_000_000_007


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not valid JSON"),
        ('{"verdict": "pass"}', "the run is not named"),
        ('{"run_id": 3}', "the run is not named"),
        ('{"run_id": "a", "verdict": "good"}', "“good” is not a verdict"),
        ('{"run_id": "a", "note": 3}', "note must be a text"),
        ('{"run_id": "a", "tags": "x"}', "tags must be a list of texts"),
        ('{"run_id": "a", "colour": "red"}', "unknown field “colour”"),
        ('{"run_id": "a", "reviewed_at": "yesterday"}', "reviewed_at is not a valid time"),
    ],
)
def test_a_bad_line_says_why_and_the_next_one_is_read(line: str, reason: str) -> None:
    bad, good = read('{"run_id": "first"}\n' + line + '\n\n{"run_id": "b"}\n')[1:]
    assert isinstance(bad, ReviewRejection)
    assert (bad.place, bad.reason[: len(reason)]) == ("line 2", reason)
    assert bad.hint
    assert (good.place, good.run_id) == ("line 4", "b")


def test_a_table_as_people_write_it() -> None:
    rows = read('\ufeffrun_id,verdict,tags,note\r\na,pass,"x, y","two\r\nlines"\r\n\r\nb,,,\'plain\r\n')
    assert [(row.place, row.run_id, row.fields["verdict"], row.tags, row.fields["note"]) for row in rows] == [
        ("line 2", "a", "pass", ("x", "y"), "two\r\nlines"),
        ("line 5", "b", None, (), "'plain"),
    ]


def test_a_table_without_runs_is_refused_once() -> None:
    [bad] = read("id,verdict\na,pass\nb,fail\n")
    assert (bad.place, bad.reason) == ("line 1", "the column run_id is missing")


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    assert [row.place for row in read('\n\n{"run_id": "a"}\n')] == ["line 3"]
    assert [row.place for row in read("\nrun_id\na\n")] == ["line 3"]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_a_review_says_so(text: str) -> None:
    [bad] = read(text)
    assert (bad.place, bad.reason) == ("line 1", "the file is empty")
