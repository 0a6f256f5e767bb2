"""The Compare page as Streamlit runs it: which of its three ways an address means, and what each says of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app import state
from tests.app.conftest import OpenPage, write_lines
from trace_store.importing.files import import_paths
from trace_store.model import JSON
from trace_store.store import Store

HOSTILE = "![x](https://evil.example/x.png) `:red[a]`"


def a_run(run_id: str, passed: bool | None, model: str = "heron", **fields: Any) -> JSON:
    call = {"tool_name": "get_order", "arguments": {"id": run_id}, "source": "odyssey", "response": {}}
    return {
        "run_id": run_id, "task_id": "refund", "judge_passed": passed, "metadata": {"model": model},
        "final_response": "Done.", "messages": [{"role": "user", "content": "Refund me."}], "proxy_calls": [call],
    } | fields  # fmt: skip


@pytest.fixture
def compared(url: str, tmp_path: Path) -> Store:
    """Four runs of one task, two a model, one of each failing; and one of a task that ran once."""
    runs = [
        a_run("good", True),
        a_run("bad", False),
        a_run("fine", True, "egret"),
        a_run("poor", False, "egret"),
        a_run(HOSTILE, True, HOSTILE, task_id=HOSTILE),
    ]
    write_lines(tmp_path / "nightly.jsonl", runs)
    import_paths(state.store(), [tmp_path / "nightly.jsonl"])
    return state.store()


def texts(at: AppTest) -> str:
    parts = [*at.subheader, *at.markdown, *at.caption, *at.text, *at.error, *at.code]
    return "\n".join(str(part.value) for part in parts)


def component(at: AppTest, name: str) -> Any:
    sent = next(part.proto for part in at.get("bidi_component") if part.proto.component_name == f"trace_{name}")
    return orjson.loads(sent.bytes.partition(b"\n")[2])


def button(at: AppTest, label: str) -> Any:
    return next(button for button in at.button if button.label == label)


def address(at: AppTest) -> dict[str, str]:
    return {name: value[0] if isinstance(value, list) else value for name, value in at.query_params.items()}


def test_an_empty_store_says_the_next_step(open_page: OpenPage) -> None:
    at = open_page("compare")
    assert [button.label for button in at.button] == ["To the runs"]


def test_with_nothing_chosen_all_three_ways_are_offered(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare")
    assert [field.label for field in at.selectbox] == ["Left run", "Right run"]
    assert [field.label for field in at.text_input] == ["Left query", "Right query"]
    assert "**1 task** with repeats." in texts(at)
    tasks = at.dataframe[0].value
    assert tasks[["task", "runs", "passed", "failed", "rate", "interval"]].values.tolist() == [
        ["refund", 4, 2, 2, 50.0, "15 to 85 %"]
    ]


def test_an_example_of_the_store_s_own_models_compares_them(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare")
    button(at, "Model `egret` against `heron`").click().run()
    assert not at.exception
    assert address(at) == {"q": "model:egret", "against": "model:heron"}
    assert component(at, "rates")["runs"] == [2, 2]


def test_queries_that_are_written_are_compared(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare")
    at.text_input[0].set_value("model:heron")
    at.text_input[1].set_value("verdict:failed")
    button(at, "Compare the rates").click().run()
    assert address(at) == {"q": "model:heron", "against": "verdict:failed"}
    assert "**1 run** on both sides" in texts(at)


def test_a_query_that_means_nothing_is_marked_and_can_be_mended(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", q="colour:red", against="model:heron")
    assert "there is no field" in texts(at).lower()
    assert [field.value for field in at.text_input] == ["colour:red", "model:heron"]


def test_a_query_without_runs_is_no_comparison(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", q="model:heron", against="model:nobody")
    assert "No run matches the right query." in texts(at)
    assert not at.get("bidi_component") or all(
        part.proto.component_name != "trace_rates" for part in at.get("bidi_component")
    )


def test_two_runs_stand_side_by_side_and_change_sides(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", left="bad", right="good")
    data = component(at, "comparison")
    assert (data["left"], data["right"]) == ("bad", "good")
    assert data["parting"] == "They part at step 2: get_order is called with other arguments."
    button(at, "Swap sides").click().run()
    assert address(at) == {"left": "good", "right": "bad"}


def test_one_run_asks_for_the_other_and_offers_those_of_its_task(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", left="bad")
    left, right = at.selectbox
    assert (left.value, right.value) == ("bad", None)
    assert sorted(right.options) == ["bad", "fine", "good", "poor"]
    right.set_value("fine")
    button(at, "Compare the runs").click().run()
    assert address(at) == {"left": "bad", "right": "fine"}


def test_a_run_that_is_not_in_the_store_is_said(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", left="nobody", right="good")
    assert "This run is not in the store" in texts(at)
    assert [field.label for field in at.selectbox] == ["Left run", "Right run"]


def test_a_task_says_its_pass_rate_its_models_and_its_pairs(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", task="refund")
    assert "**2 of 4** judged runs passed, 50 %" in texts(at)
    groups, runs = (frame.value for frame in at.dataframe)
    assert groups[["model", "passed", "failed"]].values.tolist() == [["egret", 1, 1], ["heron", 1, 1]]
    assert dict(zip(runs["run"], runs["other"], strict=True)) == {
        "good": "bad", "bad": "good", "fine": "poor", "poor": "fine",
    }  # fmt: skip


def test_a_task_of_which_there_is_no_run_is_said(compared: Store, open_page: OpenPage) -> None:
    assert "There are no runs of this task." in texts(open_page("compare", task="nothing"))


def test_what_a_run_is_called_never_becomes_markdown(compared: Store, open_page: OpenPage) -> None:
    for params in ({"task": HOSTILE}, {"left": HOSTILE, "right": HOSTILE}, {}):
        at = open_page("compare", **params)
        labels = [button.label for button in at.button] + [str(part.value) for part in [*at.markdown, *at.subheader]]
        assert all("![x](" not in label or "`` ![x](" in label for label in labels)


def test_back_to_the_choice_forgets_what_was_compared(compared: Store, open_page: OpenPage) -> None:
    at = open_page("compare", q="model:heron", against="model:egret")
    button(at, "Compare something else").click().run()
    assert address(at) == {}


class TestTheLinkOnARun:
    def labels(self, at: AppTest) -> list[str]:
        return [button.label for button in at.button if button.label.startswith("Compare with")]

    def test_leads_from_failing_to_passing_and_the_other_way(self, compared: Store, open_page: OpenPage) -> None:
        assert self.labels(open_page("run", run="bad")) == ["Compare with a passing run of this task"]
        assert self.labels(open_page("run", run="good")) == ["Compare with a failing run of this task"]

    def test_is_absent_where_there_is_no_such_run(self, compared: Store, open_page: OpenPage) -> None:
        assert self.labels(open_page("run", run=HOSTILE)) == []
