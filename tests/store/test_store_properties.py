"""What holds of any run: it comes back as it was put, and is found by what it says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.building import body, call, put_runs, run_ids, run_of
from trace_store import Store
from trace_store.errors import StoreError
from trace_store.store.folding import fold
from trace_store.store.query.full_text import LONGEST, Phrase, segmented
from trace_store.store.writing import texts

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
# Letters that the index knows, signs, and what is escaped; without NUL, which no query holds, and backspace and form
# feed, whose escapes read like the letters of a path.
SPOKEN = st.text(
    st.sampled_from("abcXYZ019 äéßñ ЖдЯ Ωλ 退款申请 キャン 환불 เงิน -_./:;,'\"\\\n\r\t{}[]()*%?#→👍nrtu")
    | st.characters(codec="latin-1", exclude_characters="\0\b\f"),
    max_size=60,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path_factory.mktemp('properties')}/traces.db") as store:
        yield store


@given(
    arguments=JSON_VALUES,
    response=JSON_VALUES,
    error=JSON_VALUES,
    actor=TEXT | JSON_VALUES,
    answer=TEXT,
    content=TEXT | st.lists(JSON_VALUES, max_size=3),
    metadata=JSON_VALUES,
    extra=JSON_VALUES,
)
def test_any_run_comes_back_as_it_was_put(store: Store, **drawn: object) -> None:
    logged = call(arguments=drawn["arguments"], response=drawn["response"], error=drawn["error"])
    document = body(
        "any",
        {**logged, "actor_id": drawn["actor"], "status_code": drawn["extra"]},
        final_response=drawn["answer"],
        messages=[{"role": "user", "content": drawn["content"], "thinking": drawn["extra"]}],
        metadata=drawn["metadata"],
        task_input=drawn["extra"],
        started_at=drawn["actor"],
        odd=drawn["extra"],
    )
    run, raw, digest = run_of(document)
    put_runs(store, [(run, raw, digest)])
    run.import_id, run.file = store.imports.page(limit=1).rows[0]["import_id"], "runs.jsonl"  # type: ignore[assignment]
    assert store.run("any").to_json() == run.to_json()
    assert store.raw("any") == raw
    (row,) = store.runs("run:any").rows
    assert row["messages"] == len(run.messages or ())
    assert store.calls("run:any").rows[0]["outcome"] == run.calls[0].outcome


@given(said=SPOKEN, around=SPOKEN, twice=st.booleans())
def test_any_text_is_found_by_itself(store: Store, said: str, around: str, twice: bool) -> None:
    """Also where it stands in JSON, and in JSON inside of JSON."""
    if not said.strip("*").strip() or len(said) > LONGEST:
        return
    text = f"{around} {said} {around}"
    response: object = {"text": text}
    if twice:
        response = {"body": orjson.dumps(response).decode()}
    put_runs(store, [run_of(body("said", call(response=response)))])
    phrase = said.strip("*").replace("\\", "\\\\").replace('"', '\\"')
    if Phrase.of(said.strip("*")).has_symbols:
        return  # signs are looked for in the text as it is written
    assert "said" in run_ids(store.runs(f'"{phrase}"').rows)


@given(SPOKEN)
def test_the_spelling_of_the_index_is_the_same_each_time(text: str) -> None:
    assert segmented(text) == segmented(text)
    assert fold(fold(text)) == fold(text)


WORD = st.text(
    st.sampled_from("abcXYZ019äéßñÆøŁđıЖдЯёйΩλςﬁＡＢçÖ退款申请キャン환불") | st.characters(categories=["Lu", "Ll"]),
    min_size=1,
    max_size=12,
)


@given(word=WORD, around=WORD, start=st.integers(0, 11), length=st.integers(1, 12))
def test_a_part_of_a_word_finds_whatever_the_word_finds(
    store: Store, word: str, around: str, start: int, length: int
) -> None:
    put_runs(store, [run_of(body("said", final_response=f"{around} {word}, {around}"))])
    assert "said" in run_ids(store.runs(f'"{word}"').rows)
    assert "said" in run_ids(store.runs(f'"*{word}*"').rows)
    folded = fold(word)
    if part := folded[start : start + length].strip():
        assert "said" in run_ids(store.runs(f'"*{part}*"').rows)
    assert "said" in run_ids(store.runs(f'"*{word.swapcase()}*"').rows)


def test_a_run_with_more_texts_than_numbers_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "OUTSIDE_CALLS", 8)
    with pytest.raises(StoreError, match="a run of 2 calls"):
        put_runs(store, [run_of(body("large", call(), call()))])
    many = [{"role": "user", "content": f"{n}"} for n in range(8)]
    with pytest.raises(StoreError, match="a run of 10 texts"):
        put_runs(store, [run_of(body("large", messages=many))])
    assert store.runs("run:large").total == 0


_CRASH = """
import os, sys
from tests.store.building import body, call, run_of
from trace_store import Store
from trace_store.store import writing

writing.BUFFER_BYTES = 1
store = Store.open(f"sqlite:///{sys.argv[1]}")
with store.importing("half.jsonl", 1) as batch:
    for number in range(50):
        batch.put(*run_of(body(f"run-{number}", call(), final_response="halfway " * 2000)))
    os._exit(7)
"""


def test_a_process_that_dies_leaves_nothing_of_its_file(path: Path) -> None:
    with Store.open(f"sqlite:///{path}") as store:
        put_runs(store, [run_of(body("before"))])
    done = subprocess.run([sys.executable, "-c", _CRASH, str(path)], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 7
    with Store.open(f"sqlite:///{path}", wait_s=0) as store:
        assert run_ids(store.runs().rows) == ["before"]
        assert store.runs("halfway").total == 0
        put_runs(store, [run_of(body("run-1"))])
        assert store.runs().total == 2
