"""The pages, run as Streamlit runs them: what they show of a store, and what the address does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app import state
from tests.app.conftest import PAGES, OpenPage, bodies, write_lines
from trace_store.importing.files import import_paths
from trace_store.store import Store

MOST_ELEMENTS = 100


def texts(at: AppTest) -> str:
    """All sentences of ours, and all text that is shown as it is."""
    parts = [*at.subheader, *at.markdown, *at.caption, *at.text, *at.error, *at.code]
    return "\n".join(str(part.value) for part in parts)


def table(at: AppTest, of: str = "runs") -> pd.DataFrame:
    """The list on the page; its key tells the view and counts the clicks."""
    return next(frame.value for frame in at.dataframe if str(frame.key).startswith(f"{of}-table-"))


def frame_with(at: AppTest, column: str) -> pd.DataFrame:
    """The table that has this column; AppTest finds a table by its key only where clicks on it are events."""
    return next(frame.value for frame in at.dataframe if column in frame.value)


def component(at: AppTest, name: str) -> Any:
    """What a component of ours on the page is given."""
    sent = next(part.proto for part in at.get("bidi_component") if part.proto.component_name == f"trace_{name}")
    return orjson.loads(sent.bytes.partition(b"\n")[2])


def ids(at: AppTest) -> list[str]:
    return list(table(at)["run_id"])


class TestAnEmptyStore:
    def test_offers_the_sample_runs_and_the_ways_to_import(self, open_page: OpenPage) -> None:
        at = open_page("runs")
        assert "No runs yet." in texts(at)
        assert [button.label for button in at.button] == ["Load the sample runs"]
        assert not at.dataframe
        assert len(at.file_uploader) == 1

    def test_one_click_loads_the_samples_and_shows_them(self, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.button(key="primary-samples").click().run()
        assert not at.exception
        assert "imported**" in texts(at)
        assert len(table(at)) > 1
        at.query_params["q"] = "view:thin"
        at.run()
        assert " of " in texts(at)

    @pytest.mark.parametrize("page", ["run", "calls", "failures", "imports"])
    def test_every_other_page_says_the_next_step(self, page: str, open_page: OpenPage) -> None:
        at = open_page(page)
        assert [button.label for button in at.button] == ["To the runs"]
        assert not at.dataframe


class TestTheRunsPage:
    def test_lists_the_runs_with_what_is_unusual(self, filled: Store, open_page: OpenPage) -> None:
        runs = table(open_page("runs")).set_index("run_id")
        assert len(runs) == 4
        retried = runs.loc["run_retried"]
        assert (retried["calls"], retried["failures"], retried["retries"], retried["undeclared"]) == (4, 3, 2, 3)
        assert retried["verdict"] == ["failed"]
        assert runs.loc["run_empty"]["state"] == ["no answer"]
        assert runs.loc["run_good"]["answer"] == "All fine."

    def test_the_address_filters(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", q="actor_status:undeclared")
        assert ids(at) == ["run_retried"]
        assert at.text_input(key="query-text").value == "actor_status:undeclared"
        assert "**1** of 4 runs" in texts(at)

    def test_the_address_sorts(self, filled: Store, open_page: OpenPage) -> None:
        assert ids(open_page("runs", sort="run"))[0] == "run_empty"
        assert ids(open_page("runs", sort="-failures"))[0] == "run_retried"
        assert len(ids(open_page("runs", sort="-nonsense"))) == 4

    def test_a_query_goes_into_the_address(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", sort="run")
        at.query_params["page"] = "7"
        at.text_input(key="query-text").set_value("view:thin").run()
        assert at.query_params["q"] == "view:thin"
        assert "page" not in at.query_params
        assert len(ids(at)) == 2

    def test_a_query_that_means_nothing_is_shown_with_its_place_and_a_hint(
        self, filled: Store, open_page: OpenPage
    ) -> None:
        at = open_page("runs", q="view:thin error_clas:x")
        assert at.error[0].value == "This query cannot be understood."
        assert at.code[0].value == "view:thin error_clas:x\n          ^"
        assert "Did you mean error_class?" in texts(at)
        assert not any("run_id" in frame.value for frame in at.dataframe)

    def test_a_query_that_finds_nothing_says_so(self, filled: Store, open_page: OpenPage) -> None:
        assert "No run matches this query." in texts(open_page("runs", q="run:nobody"))

    def test_a_figure_filters_and_lifts_its_filter(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        assert at.button(key="figure-thin").label == "**2** thin"
        at.button(key="figure-thin").click().run()
        assert at.query_params["q"] == "view:thin"
        assert at.button(key="figure-thin").proto.type == "primary"
        at.button(key="figure-thin").click().run()
        assert "q" not in at.query_params

    def test_a_facet_writes_into_the_query_and_is_clicked_away_again(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", q='"refund me"')
        at.pills(key="facet-runs-verdict").set_value(["failed"]).run()
        assert at.query_params["q"] == '"refund me" verdict:failed'
        assert at.pills(key="facet-runs-verdict").value == ["failed"]
        at.pills(key="facet-runs-verdict").set_value([]).run()
        assert at.query_params["q"] == '"refund me"'

    def test_a_facet_shows_what_the_address_asks_for(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", q="error_class:lock_contention")
        assert at.pills(key="facet-runs-error_class").value == ["lock_contention"]

    def test_clear_shows_everything_again(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", q="view:thin")
        next(button for button in at.button if button.label == "Clear").click().run()
        assert "q" not in at.query_params
        assert len(ids(at)) == 4


class TestImporting:
    def upload(self, at: AppTest, name: str, content: bytes) -> AppTest:
        at.file_uploader[0].upload(name, content)
        return at.run()

    def test_an_upload_is_imported_and_reported(self, open_page: OpenPage) -> None:
        lines = b"\n".join([*map(orjson.dumps, bodies()), b"{broken", orjson.dumps(bodies()[0])])
        at = self.upload(open_page("runs"), "night.jsonl", lines)
        assert not at.exception
        assert "**4 imported**, 1 unchanged, :red[**1 rejected**]" in texts(at)
        where, why, what_to_do = at.code[0].value.splitlines()
        assert where == "night.jsonl: line 5"
        assert why.startswith("  broken JSON at line 5, column 2")
        assert what_to_do.startswith("  → ")

    def test_nothing_of_an_upload_stays_in_the_session(self, open_page: OpenPage) -> None:
        at = self.upload(open_page("runs"), "night.jsonl", orjson.dumps(bodies()[0]))
        assert not any(uploader.value for uploader in at.file_uploader)
        assert not any(
            "night" in str(value) for key, value in at.session_state.to_dict().items() if key != "import-report"
        )

    def test_a_path_below_a_root_is_read(
        self, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.state.is_loopback", lambda: True)
        write_lines(tmp_path / "nightly.jsonl", bodies())
        at = self.by_path(open_page("runs"), "nightly.jsonl")
        assert "**4 imported**, none rejected" in texts(at)

    def test_a_path_outside_the_roots_is_refused(
        self, open_page: OpenPage, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.state.is_loopback", lambda: True)
        outside = tmp_path_factory.mktemp("outside") / "x.jsonl"
        write_lines(outside, bodies())
        at = self.by_path(open_page("runs"), str(outside))
        assert at.error[0].value == "Not imported"
        assert "outside the folders that may be read" in texts(at)

    def test_no_path_may_be_named_over_a_network(self, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.state.is_loopback", lambda: False)
        assert open_page("runs").segmented_control(key="import-way").options == ["Files", "Folder"]

    @pytest.mark.parametrize(("address", "alone"), [("127.0.0.1", True), ("0.0.0.0", False), (None, False)])
    def test_only_a_loopback_address_is_the_machine_itself(
        self, address: str | None, alone: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("streamlit.get_option", {"server.address": address}.__getitem__)
        assert state.is_loopback() is alone

    def by_path(self, at: AppTest, path: str) -> AppTest:
        at.segmented_control(key="import-way").set_value("Path on this machine").run()
        at.text_input(key="import-path-text").set_value(path)
        at.button(key="primary-import-path").click().run()
        assert not at.exception
        return at


class TestTheRunPage:
    def test_the_head_says_what_the_run_is(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried")
        assert at.text[0].value == "Refund"
        assert "run run_retried" in at.text[1].value
        assert any("nightly.jsonl line 2" in text.value for text in at.text)
        assert component(at, "answer") == {"text": "Refunded.", "facts": []}
        badges = " ".join(markdown.value for markdown in at.markdown)
        for words in ("failed by the judge", "4 calls, 3 failed", "2 retries", "1 undeclared", "1 warning"):
            assert words in badges

    def test_a_run_without_an_answer_shows_its_error_in_the_place(self, filled: Store, open_page: OpenPage) -> None:
        assert "**No final answer:** `ResponseShapeError`" in texts(open_page("run", run="run_empty"))

    def test_its_place_in_the_list_of_the_query(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_empty", q="view:thin", sort="run")
        assert "**1** of 2" in texts(at)
        buttons = {button.label: button for button in at.button}
        assert buttons["Previous"].disabled
        buttons["Next"].click().run()
        assert str(at.query_params["run"]).startswith("run_hostile")
        assert "**2** of 2" in texts(at)

    def test_the_calls_panel_opens_at_the_call_of_the_address(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="calls", step="calls[3]")
        assert list(at.dataframe(key="run-calls").value["attempt"]) == ["1/3", "2/3", "3/3", ""]
        assert "Call 3" in texts(at)

    def test_else_at_the_first_failure_of_its_chain(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="calls")
        assert "Call 0" in texts(at)
        assert "attempt 1 of 3, recovered" in texts(at)

    def test_a_failed_call_is_given_as_an_envelope_to_share(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="calls")
        assert "is safe to share" in texts(at)
        envelope = next(code.value for code in at.code if "schema_version" in code.value)
        assert orjson.loads(envelope) == {
            "schema_version": "openmed.agent.error.v1", "error_class": "resource", "error_code": "resource_exhausted",
            "stage": "tool_call", "retryable": True, "run_id": "run_retried", "action_id": "call-0",
        }  # fmt: skip
        assert "safe to share" not in texts(open_page("run", run="run_retried", panel="calls", step="calls[2]"))

    def test_a_run_without_a_log_says_so(self, filled: Store, open_page: OpenPage) -> None:
        assert "This export has no proxy log." in texts(open_page("run", run="run_empty", panel="calls"))
        assert "The log is empty." in texts(open_page("run", run="run_good", panel="calls"))

    def test_only_the_panel_of_the_address_runs(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good", panel="raw")
        assert '"final_response": "All fine."' in at.code[0].value
        assert at.segmented_control(key="run-panel").value == "raw"
        assert not open_page("run", run="run_good").code

    def test_the_raw_document_is_searched(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="raw")
        at.text_input(key="raw-find").set_value("LOCK_").run()
        assert "2 matches" in texts(at)

    def test_the_warnings_are_shown_with_where_they_stand(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried")
        assert "1 warning, 1 message dropped" in texts(at)
        assert frame_with(at, "origin")["path"].tolist() == ["messages[1]"]

    def test_where_it_first_went_wrong(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried")
        assert "First failed at receipt: charge was made to fail, deliberately" in texts(at)
        assert "Deliberate: A failure rule of the run fired" in texts(at)
        assert "Confirmed before it, and safe to keep: get_order (calls[2])." in texts(at)
        next(button for button in at.button if button.key == "boundary-text-show").click().run()
        assert (at.query_params.get("panel"), at.query_params["step"]) == (None, "calls[3]")

    def test_its_findings(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="findings")
        sent = component(at, "findings")
        found = {finding["kind"]: finding["path"] for finding in sent["findings"]}
        assert (found["failure_injected"], found["actor_undeclared"]) == ("calls[3]", "calls[0].actor_id")
        assert {finding["kind"]: finding["title"] for finding in sent["findings"]}[
            "actor_undeclared"
        ] == "Undeclared actor"

    def test_evidence_in_the_raw_document_is_shown_beside_its_path(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_retried", panel="raw", step="proxy_calls[3].tool_name")
        assert "At `proxy_calls[3].tool_name`" in texts(at)
        assert at.code[0].value == '"charge"'
        assert "At `" not in texts(open_page("run", run="run_retried", panel="raw", step="messages_of_nobody"))

    def test_a_correction_by_the_model_is_shown(self, open_page: OpenPage, tmp_path: Path) -> None:
        calls = [
            {"tool_name": "find", "arguments": {"q": 1}, "source": "odyssey", "status_code": 422},
            {"tool_name": "find", "arguments": {"q": "1"}, "source": "odyssey", "response": {"found": 2}},
        ]
        write_lines(tmp_path / "mended.jsonl", [{"run_id": "mended", "final_response": "x", "proxy_calls": calls}])
        import_paths(state.store(), [tmp_path / "mended.jsonl"])
        at = open_page("run", run="mended")
        assert "Corrected by the model itself: call 1: find, with other arguments, succeeded." in texts(at)
        next(button for button in at.button if button.key == "boundary-corrected-show").click().run()
        assert (at.query_params.get("panel"), at.query_params["step"]) == (None, "calls[1]")

    def test_a_run_that_is_not_there(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="nobody")
        assert at.error[0].value == "This run is not in the store"

    def test_the_navigation_comes_back_to_the_run_that_was_open(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good")
        del at.query_params["run"]
        at.run()
        assert at.query_params["run"] == "run_good"
        assert at.text[0].value == "run_good"

    def test_a_hostile_name_stays_text(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run=bodies()[3]["run_id"])
        assert at.text[0].value == bodies()[3]["run_id"]
        assert not any("evil.example" in part.value for part in [*at.markdown, *at.caption])


class TestTheCallsPage:
    def test_lists_every_call_and_filters_by_class(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("calls")
        assert len(table(at, "calls")) == 4
        at.pills(key="facet-calls-error_class").set_value(["lock_contention"]).run()
        assert at.query_params["q"] == "error_class:lock_contention"
        assert "**2** of 4 calls" in texts(at)
        assert table(at, "calls")["tool"].tolist() == ["get_order", "get_order"]

    def test_undeclared_actors_are_a_click_away(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("calls")
        at.pills(key="facet-calls-actor_status").set_value(["undeclared"]).run()
        assert set(table(at, "calls")["actor"]) == {"refund_agnt"}


class TestTheFailuresPage:
    def test_layers_stay_apart(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures")
        calls, runs = at.dataframe(key="layer-call-0").value, at.dataframe(key="layer-run-0").value
        assert calls.to_dict("records") == [{"value": "lock_contention", "count": 2}, {"value": "(none)", "count": 1}]
        assert runs.to_dict("records") == [{"value": "agent_timeout", "count": 1}]
        assert "No error envelope was found." in texts(at)

    def test_codes_of_envelopes_and_which_runs_hold_an_invalid_one(self, open_page: OpenPage, tmp_path: Path) -> None:
        valid = {
            "schema_version": "openmed.agent.error.v1", "error_class": "policy", "error_code": "policy_denied",
            "stage": "tool_call", "retryable": False, "run_id": None, "action_id": None,
        }  # fmt: skip
        runs = [
            {"run_id": "sound", "final_response": "x", "error": valid},
            {"run_id": "broken", "final_response": "x", "error": {**valid, "retryable": True}},
        ]
        write_lines(tmp_path / "envelopes.jsonl", runs)
        import_paths(state.store(), [tmp_path / "envelopes.jsonl"])
        codes = open_page("failures").dataframe(key="envelopes-0").value
        assert codes.to_dict("records") == [{"code": "policy_denied", "runs": 2, "invalid": 1}]

    def test_figures_of_everything(self, filled: Store, open_page: OpenPage) -> None:
        labels = [button.label for button in open_page("failures").button]
        assert "**3** of 4 calls failed (75.0 %)" in labels
        assert "in **1** of 1 run with calls" in labels
        assert "**2 retries**" in labels

    def test_rules_that_fired(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures", section="Sources and rules")
        assert at.dataframe(key="rules-0").value.to_dict("records") == [{"rule": 0, "runs": 1, "calls": 1}]

    def test_the_query_narrows_it(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures", q="tool:charge", section="Tools")
        assert "**1** of 1 call failed (100.0 %)" in [button.label for button in at.button]
        assert at.dataframe(key="tools-0").value["tool"].tolist() == ["charge"]

    def test_signatures_and_the_runs_of_the_chosen_one(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures")
        signatures = at.dataframe(key="signatures-0").value
        assert signatures[["stage", "tool", "class", "runs"]].values.tolist() == [
            [["receipt"], "charge", "charge was made to fail, deliberately", 1],
            [["transport"], "", "agent_timeout", 1],
        ]
        assert "None of these runs has a start time, so there is nothing to draw." in texts(at)
        terms = "boundary:receipt boundary_tool:charge boundary_class:none "
        terms += 'boundary_message:"charge was made to fail, deliberately"'
        at = open_page("failures", signature=terms)
        assert at.dataframe(key="signature-runs-0").value["run_id"].tolist() == ["run_retried"]
        said = "**1 run** failed at **receipt** in `charge`: `charge was made to fail, deliberately`, none reviewed"
        assert said in texts(at)

    def test_a_signature_that_is_not_there_is_said(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures", q="run:run_empty", signature="boundary:receipt boundary_tool:charge")
        assert "has the failure signature of this link" in texts(at)

    def test_only_the_open_breakdown_is_read(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("failures", section="Retries")
        assert {frame.key for frame in at.dataframe} == {None, "signatures-0"}


class TestTheImportsPage:
    def test_every_import_with_its_report(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("imports")
        assert at.dataframe[0].value["imported"].tolist() == [4]
        assert "**4 imported**, none rejected" in texts(at)
        at.button(key="import-runs").click().run()
        assert at.session_state["going"][1:] == ("", {"q": "import:1"})  # where the browser is led


def test_a_store_that_cannot_be_opened_is_said(
    url: str, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("no database, " * 1000)
    monkeypatch.setattr("app.state.store", lambda: Store.open(f"sqlite:///{tmp_path / 'notes.txt'}"))
    at = open_page("runs")
    assert at.error[0].value == "This page cannot be shown"
    assert "notes.txt: this file is not a database" in texts(at)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_stays_under_a_hundred_elements(page: str, filled: Store, open_page: OpenPage) -> None:
    at = open_page(page, **({"run": "run_retried", "panel": "calls"} if page == "run" else {}))
    assert sum(1 for _ in elements(at._tree)) < MOST_ELEMENTS


def elements(block: Any) -> Any:
    """The leaves of the page: what Streamlit calls an element."""
    for child in getattr(block, "children", {}).values():
        yield from elements(child) if getattr(child, "children", None) else [child]
