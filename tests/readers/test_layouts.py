"""Where runs lie in a text, and how that is told by content (R41)."""

from __future__ import annotations

import json

import pytest

from tests.readers.reading import documents_of, items_of, make_document, outline_of, rejection_of, rejections_of
from trace_store.model import JSON
from trace_store.readers import Limits
from trace_store.readers.document import STAMPED
from trace_store.readers.formats.wrappers import ROLLUP_FACTS, SCENARIO_FACTS
from trace_store.readers.parsing import layout

RUNS: list[JSON] = [
    {"run_id": "a", "final_response": "one"},
    {
        "run_id": "b",
        "final_response": 'br}ack]ets, "quotes", a \\ and é',
        "messages": [{"role": "user"}, {"role": "x"}],
    },
    "done",
    {"run_id": "c", "final_response": None, "calls": [[], {}, [[{}]]]},
]


def values_at(data: bytes) -> list[tuple[str, JSON]]:
    return [(document.place, document.value) for document in documents_of(data)]


def test_a_file_with_one_value_is_a_document() -> None:
    assert values_at(b'{"final_response": "x"}') == [("document", {"final_response": "x"})]
    assert values_at(b'\n\n "done"\n\n') == [("document", "done")]
    assert values_at(json.dumps(RUNS[1], indent=2).encode()) == [("document", RUNS[1])]


def test_a_value_a_line() -> None:
    data = "\n".join(json.dumps(run) for run in RUNS).encode()
    assert values_at(data) == [(f"line {i}", run) for i, run in enumerate(RUNS, 1)]
    assert values_at(data + b"\n") == values_at(data)


def test_blank_lines_are_skipped_and_counted_and_line_ends_are_no_part_of_a_line() -> None:
    documents = documents_of(b'\n"a"\r\n\r\n  \t\n"b"  \n\n')
    assert [(d.place, d.value, d.raw) for d in documents] == [("line 2", "a", b'"a"'), ("line 5", "b", b'"b"  ')]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_an_array_gives_its_elements(indent: int | None, separators: tuple[str, str], ensure_ascii: bool) -> None:
    data = json.dumps(RUNS, indent=indent, separators=separators, ensure_ascii=ensure_ascii).encode()
    assert values_at(data) == [(f"[{i}]", run) for i, run in enumerate(RUNS)]


def test_an_array_with_an_element_a_line() -> None:
    data = ("[\n" + ",\n".join(json.dumps(run) for run in RUNS) + "\n]\n").encode()
    assert values_at(data) == [(f"[{i}]", run) for i, run in enumerate(RUNS)]


@pytest.mark.parametrize("key", ["runs", "items"])
def test_a_wrapper_is_opened(key: str) -> None:
    data = json.dumps({"next": None, key: RUNS, "total": 4}, indent=1).encode()
    assert values_at(data) == [(f"{key}[{i}]", run) for i, run in enumerate(RUNS)]


def test_an_empty_array_and_an_empty_wrapper_hold_nothing() -> None:
    for empty in (b"[]", b' {"runs": [ ], "items":[]} '):
        assert outline_of(items_of(empty)) == [("document", "!no_runs")]


def test_an_element_keeps_its_own_bytes() -> None:
    data = b'{"runs": [ {"final_response" : "caf\\u00e9",  "n":1.50e1} , "x"]}'
    assert [d.raw for d in documents_of(data)] == [b'{"final_response" : "caf\\u00e9",  "n":1.50e1}', b'"x"']


def test_lines_array_and_wrapper_give_the_same_runs() -> None:
    lines = documents_of("\n".join(json.dumps(run) for run in RUNS).encode())
    array = documents_of(json.dumps(RUNS).encode())
    wrapper = documents_of(json.dumps({"items": RUNS}).encode())
    for other in (array, wrapper):
        assert [(d.raw, d.value, d.digest) for d in other] == [(d.raw, d.value, d.digest) for d in lines]


@pytest.mark.parametrize(
    "extra",
    [{"final_response": "x"}, {"messages": []}, {"proxy_calls": []}, {"error": {"error_class": "agent_timeout"}}],
)
@pytest.mark.parametrize("key", ["items", "runs", "scenarios"])
def test_a_run_that_has_items_is_a_run(extra: dict[str, JSON], key: str) -> None:
    body = {key: [{"final_response": "inner"}]} | extra
    assert values_at(json.dumps(body).encode()) == [("document", body)]


# ---- rollups ----------------------------------------------------------------------------------------------------

ROLLUP = {
    "totals": {"runs": 3},
    "scenarios": [
        {"runs": ["done", {"final_response": "own", "status": "failed", "task_id": None, "judge_passed": True}],
         "task_id": "t1", "name": "First", "status": "completed", "judge_passed": False},
        {"task_id": "t2", "name": "Second", "runs": []},
        {"task_id": "t3", "name": "Third"},
        {"runs": [{"final_response": "third", "env": {"DYSTOPIC_TASK_ID": "mine"}}], "task_id": "t4"},
    ],
    "check_id": "nightly",
}  # fmt: skip


def test_outer_facts_are_stamped_where_a_run_does_not_say_itself() -> None:
    assert values_at(json.dumps(ROLLUP).encode()) == [
        (
            "scenarios[0].runs[0]",
            {"final_response": "done", "check_id": "nightly", "task_id": "t1", "scenario": "First",
             "status": "completed", "judge_passed": False},
        ),
        (
            "scenarios[0].runs[1]",
            {"final_response": "own", "status": "failed", "task_id": "t1", "judge_passed": True,
             "check_id": "nightly", "scenario": "First"},
        ),
        (
            "scenarios[3].runs[0]",
            {"final_response": "third", "env": {"DYSTOPIC_TASK_ID": "mine"}, "check_id": "nightly"},
        ),
    ]  # fmt: skip


def test_every_stamp_has_a_fact_and_a_name() -> None:
    assert {*ROLLUP_FACTS.values(), *SCENARIO_FACTS.values()} == set(STAMPED)
    assert set(documents_of(json.dumps(ROLLUP).encode())[0].stamps) == set(STAMPED)


def test_a_stamped_run_keeps_its_raw_document() -> None:
    assert documents_of(json.dumps(ROLLUP).encode())[0].raw == b'"done"'


def test_a_stamp_changes_the_digest() -> None:
    plain, stamped = make_document(b'"done"'), documents_of(json.dumps(ROLLUP).encode())[0]
    assert plain.digest != stamped.digest


def test_a_scenario_that_is_none_is_rejected_alone() -> None:
    data = b'{"check_id": "c", "scenarios": [1, {"runs": ["a"]}, {"runs": [2, "b"]}, null]}'
    assert outline_of(items_of(data)) == [
        ("scenarios[0]", "!not_a_run"),
        ("scenarios[1].runs[0]", {"final_response": "a", "check_id": "c"}),
        ("scenarios[2].runs[0]", 2),
        ("scenarios[2].runs[1]", {"final_response": "b", "check_id": "c"}),
        ("scenarios[3]", "!not_a_run"),
    ]


def test_wrappers_in_lines_arrays_and_wrappers() -> None:
    assert values_at(b'{"runs": ["a"]}\n["b", {"items": ["c"]}]\n') == [
        ("line 1: runs[0]", "a"),
        ("line 2: [0]", "b"),
        ("line 2: [1].items[0]", "c"),
    ]
    assert values_at(b'[{"check_id": "k", "scenarios": [{"runs": ["a"]}]}]') == [
        ("[0].scenarios[0].runs[0]", {"final_response": "a", "check_id": "k"})
    ]


def test_wrappers_are_not_opened_without_end() -> None:
    data = b'{"runs":[' * 80 + b'"x"' + b"]}" * 80
    (document,) = documents_of(data)
    assert document.place == "runs[0].runs[0].runs[0].runs[0]"
    assert set(document.value) == {"runs"}


# ---- faults -----------------------------------------------------------------------------------------------------


def test_only_the_bad_line_is_rejected() -> None:
    data = b'"a"\n{"final_response": "b"\n{"final_response": tru}\n"c"\n{"final_response": "d'
    assert outline_of(items_of(data)) == [
        ("line 1", "a"),
        ("line 2", "!truncated_json"),
        ("line 3", "!broken_json"),
        ("line 4", "c"),
        ("line 5", "!truncated_json"),
    ]
    assert [r.reason for r in rejections_of(data)] == [
        "JSON is cut short at line 2, column 23: expecting ',' delimiter",
        "broken JSON at line 3, column 20: expecting value",
        "JSON is cut short at line 5, column 20: unterminated string starting at",
    ]


@pytest.mark.parametrize(
    "first",
    [b'{"final_response": "cut', b"[INFO] starting up", b"# runs of today", b"[1, 2", b'{"a": 1} {"b": 2}', b"{"],
)
def test_lines_with_a_broken_first_one(first: bytes) -> None:
    data = first + b'\n{"final_response": "b"}\n\n{"runs": ["c"]}\n'
    assert outline_of(items_of(data))[1:] == [("line 2", {"final_response": "b"}), ("line 4: runs[0]", "c")]
    assert outline_of(items_of(data))[0][0] == "line 1"


def test_a_truncated_array_yields_what_stands_before_the_fault() -> None:
    assert outline_of(items_of(b'["a", {"final_response": "b"}, {"final_')) == [
        ("[0]", "a"),
        ("[1]", {"final_response": "b"}),
        ("[2]", "!truncated_json"),
    ]
    assert outline_of(items_of(b'["a", "b"')) == [("[0]", "a"), ("[1]", "b"), ("[2]", "!truncated_json")]
    assert outline_of(items_of(b'["a",')) == [("[0]", "a"), ("[1]", "!truncated_json")]


def test_a_truncated_wrapper_yields_what_stands_before_the_fault() -> None:
    assert outline_of(items_of(b'{"total": 3, "runs": ["a", {"final_response": "b"}, {"x')) == [
        ("runs[0]", "a"),
        ("runs[1]", {"final_response": "b"}),
        ("runs[2]", "!truncated_json"),
    ]
    assert outline_of(items_of(b'{"runs": ["a"], "total"')) == [("runs[0]", "a"), ("document", "!truncated_json")]
    assert outline_of(items_of(b'{"scenarios": [{"name": "n", "runs": ["a", "b')) == [
        ("scenarios[0].runs[0]", {"final_response": "a", "scenario": "n"}),
        ("scenarios[0].runs[1]", "!truncated_json"),
    ]


def test_a_broken_element_does_not_cost_its_neighbours() -> None:
    expected = [("", "a"), ("", "!broken_json"), ("", {"final_response": "c"})]
    for data in (b'["a", {"x": tru}, {"final_response": "c"}]', b'{"runs": ["a", {x: 1}, {"final_response": "c"}]}'):
        assert [("", value) for _, value in outline_of(items_of(data))] == expected


def test_the_line_and_column_of_a_fault_in_an_element_are_those_of_the_file() -> None:
    data = '[\n  {"final_response": "é"},\n  {"final_response": "é", "a": tru},\n  {"b": x}\n]'.encode()
    assert [(r.place, r.reason) for r in rejections_of(data)] == [
        ("[1]", "broken JSON at line 3, column 32: expecting value"),
        ("[2]", "broken JSON at line 4, column 9: expecting value"),
    ]


def test_more_after_the_end_is_a_fault() -> None:
    assert outline_of(items_of(b'["a"] x')) == [("[0]", "a"), ("document", "!broken_json")]
    assert outline_of(items_of(b'{"runs": ["a"]} x')) == [("runs[0]", "a"), ("document", "!broken_json")]
    assert rejection_of(b'{"final_response": "a"}{"final_response": "b"}').reason == (
        "broken JSON at line 1, column 24: extra data"
    )


def test_a_broken_document_is_rejected_once() -> None:
    data = json.dumps({"final_response": "x", "list": ["a", "b", {}]}, indent=1).encode()[:-3]
    rejection = rejection_of(data)
    assert (rejection.place, rejection.kind) == ("document", "truncated_json")
    assert rejection.reason == "JSON is cut short at line 7, column 2: expecting ',' delimiter"


# ---- sizes ------------------------------------------------------------------------------------------------------


def test_a_document_over_the_limit_is_rejected_and_the_rest_is_read() -> None:
    limits = Limits(document_bytes=1 << 20)
    large = {"final_response": "x" * (1 << 20)}
    expected = ["a", "!too_large", "b"]
    for data in (
        b'"a"\n' + json.dumps(large).encode() + b'\n"b"\n',
        json.dumps(["a", large, "b"]).encode(),
        json.dumps({"runs": ["a", large, "b"]}).encode(),
    ):
        assert [value for _, value in outline_of(items_of(data, limits))] == expected
    reason = rejections_of(b'"a"\n' + json.dumps(large).encode(), limits)[0].reason
    assert reason == "the document is larger than 1 MB"


@pytest.fixture
def small_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text takes the way of the large ones."""
    monkeypatch.setattr(layout, "PROBE", 16)


@pytest.mark.usefixtures("small_probe")
class TestLargeTexts:
    def test_a_document(self) -> None:
        data = json.dumps(RUNS[1], indent=2).encode() + b"\n"
        assert values_at(data) == [("document", RUNS[1])]
        assert make_document(data).raw == data
        assert values_at(b'"a string that is longer than the probe"') == [
            ("document", "a string that is longer than the probe")
        ]

    def test_lines_whose_first_is_longer_than_any_buffer(self) -> None:
        for first in (RUNS[1], "a string that is longer than the probe", {"runs": RUNS[:2]}):
            data = json.dumps(first).encode() + b'\n\n{"final_response": "b"}\n'
            assert values_at(data)[-1] == ("line 3", {"final_response": "b"})
            assert values_at(data)[0][0].startswith("line 1")

    def test_an_array_on_a_line_of_its_own_before_others(self) -> None:
        data = json.dumps(RUNS).encode() + b'\n{"final_response": "b"}\n"c"\n'
        assert values_at(data)[-2:] == [("line 2", {"final_response": "b"}), ("line 3", "c")]

    def test_wrappers_and_rollups(self) -> None:
        assert values_at(json.dumps({"items": RUNS}).encode()) == [(f"items[{i}]", run) for i, run in enumerate(RUNS)]
        places = [d.place for d in documents_of(json.dumps(ROLLUP, indent=2).encode())]
        assert places == ["scenarios[0].runs[0]", "scenarios[0].runs[1]", "scenarios[3].runs[0]"]
        assert documents_of(json.dumps(ROLLUP).encode())[0].value["check_id"] == "nightly"

    def test_a_run_that_has_items_is_a_run(self) -> None:
        body = {"items": RUNS, "messages": [{"role": "user", "content": "x"}]}
        assert values_at(json.dumps(body).encode()) == [("document", body)]

    def test_faults(self) -> None:
        assert outline_of(items_of(b'{"final_response": "x", "a": [1, 2, 3] "b": 4}')) == [("document", "!broken_json")]
        assert outline_of(items_of(b'{"final_response": "x", "a": [1, 2, 3, 4, 5')) == [("document", "!truncated_json")]
        assert outline_of(items_of(b'{"final_response": "x", "a": 1} and more text')) == [("document", "!broken_json")]
        assert outline_of(items_of(b"plain text, much longer than the probe")) == [("document", "!text")]

    def test_a_document_over_the_limit(self) -> None:
        data = json.dumps({"final_response": "x" * 2000}).encode()
        assert rejection_of(data, Limits(document_bytes=1000)).kind == "too_large"
