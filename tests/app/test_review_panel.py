"""The review panel of the Run page: drafts, saving, conflicts, undo."""

from __future__ import annotations

from pathlib import Path

from tests.app.conftest import OpenPage, bodies, write_lines
from tests.app.test_pages import texts
from trace_store.importing.files import import_paths
from trace_store.model import Review
from trace_store.store import Store


class TestReviewing:
    def test_a_review_is_saved_and_shown(self, filled: Store, open_page: OpenPage) -> None:
        # What others have written is offered.
        filled.reviews.save("run_empty", Review(failure_mode="wrong tool", tags=("regression",)))
        at = open_page("run", run="run_good", step="messages[0]")
        at.button(key="review-fail").click().run()
        at.text_area(key="review-note-run_good").set_value("wrong order").run()
        at.selectbox(key="review-failure_mode-run_good").select("wrong tool").run()
        at.multiselect(key="review-tags-run_good").set_value(["regression"]).run()
        at.text_input(key="review-reviewer-run_good").set_value("Ada").run()
        at.button(key="review-decisive").click().run()
        assert filled.reviews.get("run_good") is None
        assert "not saved yet" in texts(at)
        at.button(key="review-save").click().run()
        assert not at.exception
        saved = filled.reviews.get("run_good")
        assert saved is not None
        assert (saved.verdict, saved.note, saved.failure_mode) == ("fail", "wrong order", "wrong tool")
        assert (saved.tags, saved.reviewer, saved.step) == (("regression",), "Ada", "messages[0]")
        assert "by `Ada`" in texts(at)
        at.button(key="review-undo").click().run()
        assert filled.reviews.get("run_good") is None

    def test_what_is_not_saved_is_there_after_another_run(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good")
        at.button(key="review-unsure").click().run()
        at.query_params["run"] = "run_empty"
        at.run()
        assert "Not reviewed yet" in texts(at)
        at.query_params["run"] = "run_good"
        at.run()
        assert "not saved yet" in texts(at)

    def test_no_verdict_is_saved_without_a_name(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good")
        at.button(key="review-pass").click().run()
        at.button(key="review-save").click().run()
        assert "Not saved: write your name as the reviewer first" in texts(at)
        assert filled.reviews.get("run_good") is None
        assert "not saved yet" in texts(at)
        at.text_input(key="review-reviewer-run_good").set_value("Ada").run()
        at.button(key="review-save").click().run()
        saved = filled.reviews.get("run_good")
        assert saved is not None and (saved.verdict, saved.reviewer) == ("pass", "Ada")

    def test_a_verdict_of_fail_says_what_it_lacks(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good", step="messages[0]")
        at.text_input(key="review-reviewer-run_good").set_value("Ada").run()
        at.button(key="review-fail").click().run()
        at.button(key="review-save").click().run()
        assert "`run_good, fail, with no decisive step and no responsible actor`" in texts(at)
        at.button(key="review-decisive").click().run()
        at.button(key="review-save").click().run()
        assert "`run_good, fail, with no responsible actor`" in texts(at)

    def test_two_reviewers_do_not_overwrite_each_other_unseen(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("run", run="run_good")
        at.button(key="review-pass").click().run()
        at.text_input(key="review-reviewer-run_good").set_value("Ada").run()
        filled.reviews.save("run_good", Review(verdict="fail", note="theirs", reviewer="Bo"))
        at.button(key="review-save").click().run()
        assert "`Bo` saved another review" in texts(at)
        assert filled.reviews.get("run_good").verdict == "fail"  # type: ignore[union-attr]
        at.button(key="review-keep-mine").click().run()
        assert filled.reviews.get("run_good").verdict == "pass"  # type: ignore[union-attr]
        assert [state.review.verdict for state in filled.reviews.history("run_good") if state.review] == [
            "pass",
            "fail",
        ]

    def test_a_review_of_an_earlier_version_says_so(self, filled: Store, open_page: OpenPage, tmp_path: Path) -> None:
        filled.reviews.save("run_good", Review(verdict="pass"))
        assert "run changed" not in texts(open_page("run", run="run_good"))
        changed = bodies()[0] | {"final_response": "Not so fine."}
        write_lines(tmp_path / "again.jsonl", [changed])
        import_paths(filled, [tmp_path / "again.jsonl"])
        assert "run changed" in texts(open_page("run", run="run_good"))

    def test_a_review_is_removed(self, filled: Store, open_page: OpenPage) -> None:
        filled.reviews.save("run_good", Review(verdict="pass"))
        at = open_page("run", run="run_good")
        next(folded for folded in at.expander if folded.label == "History")
        at.session_state["review-history"] = True
        at.run()
        at.button(key="review-remove").click().run()
        assert filled.reviews.get("run_good") is None
