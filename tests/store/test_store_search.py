"""Full text: which words find which runs and calls, whatever the script, the signs and the escapes."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from tests.store.building import body, call, failed_call, put, run_ids
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.store.query.full_text import Phrase, segmented


def quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def found(store: Store, query: str) -> list[str]:
    return sorted(run_ids(store.runs(query).rows))


PARTS: list[tuple[str, dict[str, Any]]] = [
    ("answer", {"final_response": "the zebra answered"}),
    ("input", {"task_input": {"question": "a zebra?"}}),
    ("run error", {"error": {"message": "zebra not found"}}),
    ("content", {"messages": [{"role": "user", "content": "Zebra!"}]}),
    ("content parts", {"messages": [{"role": "user", "content": [{"type": "text", "text": "my zebra"}]}]}),
    ("unknown part", {"messages": [{"role": "user", "content": [{"type": "refusal", "refusal": "no zebra"}]}]}),
    ("odd part", {"messages": [{"role": "user", "content": [{"type": ["image"], "zebra": 1}]}]}),
    ("thinking", {"messages": [{"role": "assistant", "content": None, "thinking": [{"thinking": "zebra…"}]}]}),
    ("odd thinking", {"messages": [{"role": "assistant", "content": None, "thinking": [{"summary": "zebra"}]}]}),
    ("tool call", {"messages": [{"role": "assistant", "tool_calls": [{"name": "t", "arguments": {"x": "zebra"}}]}]}),
    ("broken tool call", {"messages": [{"role": "assistant", "tool_calls": [{"name": "t", "arguments": '{"zebra'}]}]}),
    ("warning", {"soft_warnings": ["lost a zebra"]}),
    ("arguments", {"proxy_calls": [call(arguments={"animal": "zebra"})]}),
    ("response", {"proxy_calls": [call(response=[{"deep": ["zebra"]}])]}),
    ("error", {"proxy_calls": [failed_call(error={"detail": {"message": "zebra refused"}})]}),
    ("tool of a transcript", {"messages": [{"role": "assistant", "tool_calls": [{"name": "zebra", "arguments": {}}]}]}),
    ("tool of a log", {"proxy_calls": [call("zebra")]}),
    ("actor", {"proxy_calls": [call(actor_id="zoo/zebra")]}),
    ("reasoning", {"messages": [{"role": "assistant", "content": None, "reasoning_content": "a zebra, then"}]}),
    ("call part", {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "zebra"}]}]}),
    ("result part", {"messages": [{"role": "user", "content": [{"type": "tool_result", "content": "zebra"}]}]}),
    ("session id", {"metadata": {"session_id": "zebra"}}),
    ("field of a message", {"messages": [{"role": "user", "content": "a", "thread": "zebra"}]}),
    ("field of a tool call", {"messages": [{"role": "assistant", "tool_calls": [{"name": "t", "note": "zebra"}]}]}),
    ("field of the body", {"thread_id": "zebra"}),
    ("task", {"task_id": "zebra"}),
    ("other error", {"proxy_calls": [call(status_code=500, detail="zebra crossed")]}),
]


@pytest.mark.parametrize(("part", "fields"), PARTS, ids=[part for part, _ in PARTS])
def test_every_text_of_a_run_is_found(store: Store, part: str, fields: dict[str, Any]) -> None:
    put(store, body("has", **fields), body("has not", final_response="a horse"))
    assert found(store, "zebra") == ["has"]
    assert found(store, "-zebra") == ["has not"]


def test_images_are_no_text(store: Store) -> None:
    image = {"type": "image", "source": {"data": "zebra"}}
    put(store, body("a", messages=[{"role": "user", "content": [image, {"type": "text", "text": "look"}]}]))
    assert found(store, "zebra") == []
    assert found(store, "look") == ["a"]


def test_a_text_says_its_part_and_path(store: Store, database: sqlite3.Connection) -> None:
    put(store, body("a", call(arguments={"a": 1}, response="r"), failed_call(error="e"), odd=1,
                    messages=[{"role": "bad"}, {"role": "user", "content": ["", {"text": "two"}]}]))  # fmt: skip
    rows = database.execute("SELECT part, path, text FROM texts ORDER BY key").fetchall()
    assert [row for row in rows if row[0] != "warning"] == [
        ("arguments", "calls[0].arguments", '{"a":1}'),
        ("response", "calls[0].response", "r"),
        ("arguments", "calls[1].arguments", "{}"),
        ("error", "calls[1].error", "e"),
        ("answer", "final_response", "done"),
        ("content", "messages[1].content[0]", ""),
        ("content", "messages[1].content[1]", "two"),
        ("ids", "run_id", "a"),
        ("names", "calls", "get_order"),
        ("extra", "", '{"odd":1}'),
    ]
    assert [row[1] for row in rows if row[0] == "warning"] == ["messages[0]"]


def test_on_calls_words_are_those_of_the_call_itself(store: Store) -> None:
    many = [call(arguments={"n": n, "animal": "zebra" if n == 700 else "horse"}) for n in range(701)]
    put(store, body("b", call(response="horse"), call(response="zebra"), final_response="zebra"), body("c", *many))
    rows = store.calls("zebra").rows
    assert [(row["run_id"], row["sequence"]) for row in rows] == [("c", 700), ("b", 1)]


@pytest.mark.parametrize(
    ("text", "words", "finds"),
    [
        ("refund was issued", "refund issued", True),  # two words, in any order
        ("refund was issued", "issued refund", True),
        ("refund was issued", '"refund was"', True),
        ("refund was issued", '"refund issued"', False),  # a phrase stands together
        ("refunds", "refund", False),
        ("refunds", "refund*", True),
        ("refunds", "*fund*", True),
        ("refunds", "*funds", True),
        ("Refund", "rEFUND", True),
        ("café", "cafe", True),
        ("order #4521 is $79.50", "4521", True),
        ("order #4521 is $79.50", "79.50", True),
        ("order #4521 is $79.50", '"$79.50"', True),
        ("order #4521 is $79.50", '"79.5"', False),
        ("call get_order now", "get_order", True),
        ("申请退款成功", "退款", True),
        ("申请退款成功", "款退", False),
        ("ご注文をキャンセルしました", "キャンセル", True),
        ("환불을요청했습니다", "요청", True),
        ("ขอเงินคืน", "เงิน", True),
        ("GPT模型", "模型", True),
        ("GPT模型", "gpt", True),
        ("C++ or Java", "C++", True),
        ("plan C", "C++", False),
        ("C# and F#", '"C#"', True),
        ("C major", '"C#"', False),
        ("100% sure", '"100%"', True),
        ("100 sure", '"100%"', False),
        ("ship it 🚀", "🚀", True),
        ("ship it 👍", "🚀", False),
        ("x->y", '"x->y"', True),
        ("x, y", '"x->y"', False),
        ("Возврат оформлен", "*врат*", True),
        ("Rückgabe", "*ruckg*", True),
        ("ÄNDERUNG", "*änder*", True),
        ("Straße", "*strass*", True),
        ("STRASSE", "*straß*", True),
        ("ﬁle", "*fil*", True),
        ("Łódź", "*lod*", True),
        ("smørbrød", "*rbrod*", True),
        ("ёлка", "*елк*", True),
        ("ＧＰＴ", "*gp*", True),
        ("a → b", '"→"', True),
        ("a → b", '"←"', False),
        ("50% off", '"%"', True),
        ("50 off", '"%"', False),
        ("ёлка", "елка", True),
        ("Łódź", "lodz", True),
        ("Straße", "strasse", True),
        ("ﬁle", "file", True),
        ("ＧＰＴ", "gpt", True),
        ("a_b", '"_"', True),
        ("a-b", '"_"', False),
        ("done 👍", "👍", True),
        ('she said "AND"', "and", True),
        ("NEAR(a b)", '"NEAR(a b)"', True),
        ("NEAR(a b)", '"NEAR(b"', False),
        ('half " a quote', '"\\" a quote"', True),
        ("nul \x00 inside", "inside", True),
    ],
)
def test_what_words_find(store: Store, text: str, words: str, finds: bool) -> None:
    put(store, body("a", call("look", response={"text": text}), final_response="nothing"))
    assert found(store, words) == (["a"] if finds else [])
    assert store.calls(words).total == int(finds)


@pytest.mark.parametrize(
    "written",
    [
        r"first\nsecond",  # JSON in a string
        r"first\\nsecond",  # JSON in JSON in a string
        r"first\tsecond",
        "first\nsecond",
        r"first \u0073econd",
        r"first \\u0073econd",
    ],
)
def test_what_json_escaped_is_found_as_it_reads(store: Store, written: str) -> None:
    put(store, body("a", messages=[{"role": "tool", "content": written}]))
    assert found(store, "second") == ["a"]
    assert found(store, '"first second"') == ["a"]


def test_escaped_characters_beyond_ascii_are_found(store: Store) -> None:
    put(
        store,
        body(
            "a",
            call(response=r'{"city": "K\u00f6ln", "smile": "\ud83d\ude00", "half": "\ud83d", "zh": "\u9000\u6b3e"}'),
        ),
    )
    for words in ("Köln", "koln", "退款", "city", "half"):
        assert found(store, words) == ["a"], words


def test_a_path_with_backslashes_is_found_as_it_is_written(store: Store) -> None:
    put(store, body("a", call(arguments={"path": r"C:\temp\new.txt"})))
    assert found(store, quoted(r"C:\temp\new.txt")) == ["a"]


def test_very_long_texts_are_searched_to_their_end(store: Store) -> None:
    put(store, body("a", call(response="word " * 200_000 + "needle")))
    assert found(store, "needle") == ["a"]


@pytest.mark.parametrize("words", ["*", '""', '" "'])
def test_nothing_is_no_search(store: Store, words: str) -> None:
    with pytest.raises(QueryError):
        store.runs(words)


def test_a_search_longer_than_the_database_takes_is_refused() -> None:
    with pytest.raises(QueryError, match="a search of 1001 characters"):
        Phrase.of("x" * 1001)


def test_ascii_is_spelt_as_it_is() -> None:
    assert segmented('plain {"a": 1}') == 'plain {"a": 1}'
    assert segmented(r"C:\windows\system") == r"C:\windows\system"
