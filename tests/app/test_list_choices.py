"""What is picked in the list of runs and what comes of it, which columns it shows, and views that are saved."""

from __future__ import annotations

import shlex

import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app import state
from app.parts.table.columns import DEFAULT
from app.parts.table.listing import Order
from app.parts.table.query_bar import VIEW_PAGES, link_of
from app.parts.table.run_list import RUN_COLUMNS, RUN_FIELDS, RUN_ORDERS, USUAL_RUN_COLUMNS, run_frame
from app.parts.table.selection import Selection, documents_export, export_command, rows_export
from app.render import tail_of_path
from tests.app.conftest import OpenPage
from tests.app.test_pages import ids, table, texts
from trace_store.store import SavedView, Store


class TestASelection:
    def test_ticks_on_one_page_leave_those_of_another_alone(self) -> None:
        first = Selection("", ("a", "b")).with_page(["c", "d"], [1])
        assert first.ids == ("a", "b", "d")
        assert first.with_page(["a", "b"], [1]).ids == ("b", "d")

    def test_a_tick_taken_from_all_leaves_the_page(self) -> None:
        everything = Selection("view:thin", is_all=True)
        assert everything.count(71) == 71
        assert everything.rows(["a", "b"]) == [0, 1]
        assert everything.with_page(["a", "b"], [0, 1]) == everything
        assert everything.with_page(["a", "b"], [1]) == Selection("view:thin", ("b",))

    def test_it_is_a_query_that_finds_exactly_these(self, filled: Store) -> None:
        hostile = next(str(row["run_id"]) for row in filled.runs().rows if "evil" in str(row["run_id"]))
        found = filled.runs(Selection("", ("run_good", hostile)).as_query()).rows
        assert {row["run_id"] for row in found} == {"run_good", hostile}
        assert filled.runs(Selection("view:thin", is_all=True).as_query()).total == 2
        assert filled.runs(Selection("", is_all=True).as_query()).total == 4

    def test_a_star_in_an_id_is_only_a_star(self, filled: Store) -> None:
        assert filled.runs(Selection("", ("run_*",)).as_query()).total == 0


class TestActions:
    def test_what_is_picked_is_told_in_the_place_of_the_count(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good", "run_empty"))
        at.run()
        assert "**2 selected** of 4 runs" in texts(at)
        assert not at.button(key="chosen-compare").disabled
        at.button(key="runs-select-all").click().run()
        assert "**4 selected** of 4 runs" in texts(at)
        assert at.button(key="chosen-compare").disabled
        at.button(key="runs-select-none").click().run()
        assert "**4** runs" in texts(at)

    def test_everything_that_a_query_finds_is_exported_without_selecting_it(
        self, filled: Store, open_page: OpenPage
    ) -> None:
        at = open_page("runs", q="view:thin")
        assert "Export 2" in [block.proto.popover.label for block in at.get("popover")]
        made = documents_export(filled, Selection("view:thin", is_all=True).as_query())()
        assert made.count(b"\n") == 2

    def test_another_query_selects_nothing(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good",))
        at.query_params["q"] = "view:thin"
        at.run()
        assert "selected" not in texts(at)

    def test_two_runs_are_compared(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good", "run_empty"))
        at.run()
        at.button(key="chosen-compare").click().run()
        assert at.session_state["going"][1:] == ("compare", {"left": "run_good", "right": "run_empty"})

    def test_a_query_in_the_export_command_runs_nothing(self) -> None:
        query = "x'; touch /tmp/pwned; echo '"
        command = export_command(query)
        assert shlex.split(command) == ["trace-store", "export", query, "-o", "runs.jsonl"]

    def test_a_queue_is_made_of_what_is_picked(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good", "run_empty"))
        at.run()
        at.text_input(key="chosen-queue-name").set_value("Two of them")
        at.button(key="primary-make-queue").click().run()
        (queue,) = filled.queues.all()
        assert (queue.name, queue.runs) == ("Two of them", 2)

    def test_a_queue_without_a_name_is_refused(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good",))
        at.run()
        at.button(key="primary-make-queue").click().run()
        assert "a queue needs a name" in texts(at)
        assert filled.queues.all() == []

    def test_deleting_asks_and_then_deletes_exactly_those(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.session_state["selection"] = Selection("", ("run_good",))
        at.run()
        at.button(key="chosen-delete").click().run()
        assert "**1 run** will be deleted" in texts(at)
        assert filled.runs().total == 4
        at.button(key="primary-delete").click().run()
        assert not at.exception
        assert {row["run_id"] for row in filled.runs().rows}.isdisjoint({"run_good"})
        assert filled.runs().total == 3


class TestColumns:
    def test_the_address_says_which_and_in_what_order(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", cols="tokens,nonsense,run_id")
        frame = next(part for part in at.dataframe if str(part.key).startswith("runs-table-"))
        assert list(frame.proto.column_order) == ["tokens", "run_id"]

    def test_what_the_query_speaks_of_comes_forward(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs", q="actor_status:undeclared scenario:Refund")
        frame = next(part for part in at.dataframe if str(part.key).startswith("runs-table-"))
        assert list(frame.proto.column_order)[:3] == ["run_id", "undeclared", "scenario"]

    def test_a_choice_goes_into_the_address_and_the_browser(self, filled: Store, open_page: OpenPage) -> None:
        at = open_page("runs")
        at.multiselect(key="runs-columns").set_value(["run_id", "file"]).run()
        assert at.query_params["cols"] == "run_id,file"
        assert table(at)["file"].tolist() == ["…/nightly.jsonl"] * 4
        at.button(key="runs-columns-default").click().run()
        assert "cols" not in at.query_params

    def test_every_column_tells_something_of_a_run(self, filled: Store) -> None:
        frame = run_frame(filled.runs().rows)
        assert set(RUN_COLUMNS) <= set(frame.columns)
        assert set(USUAL_RUN_COLUMNS) | set(RUN_FIELDS) | set(RUN_ORDERS) <= set(RUN_COLUMNS)

    @pytest.mark.parametrize("order", RUN_ORDERS.values(), ids=lambda order: order.field)
    def test_every_order_of_the_list_is_one_of_the_store(self, filled: Store, order: Order) -> None:
        assert filled.runs(sort=f"-{order.field}").total == 4


class TestSavedViews:
    def saved(self, open_page: OpenPage, name: str, page: str = "runs", **params: str) -> AppTest:
        at = open_page(page, **params)
        at.session_state["views-popover"] = True
        at.run()
        at.text_input(key="view-name").set_value(name)
        at.button(key="primary-view-save").click().run()
        assert not at.exception
        return at

    def test_a_view_holds_everything_of_the_address(self, filled: Store, open_page: OpenPage) -> None:
        self.saved(open_page, "Leaks", "run", run="run_good", panel="raw", q="verdict:passed")
        (view,) = filled.views.all()
        assert (view.name, view.page) == ("Leaks", "run")
        assert view.parameters == {"run": "run_good", "panel": "raw", "q": "verdict:passed"}

    def test_a_view_of_a_list_says_that_it_has_the_usual_columns(self, filled: Store, open_page: OpenPage) -> None:
        self.saved(open_page, "Thin", q="view:thin")
        assert filled.views.all()[0].parameters == {"q": "view:thin", "cols": DEFAULT}
        assert len(ids(open_page("runs", **filled.views.all()[0].parameters))) == 2

    def test_a_name_that_is_taken_is_refused(self, filled: Store, open_page: OpenPage) -> None:
        filled.views.save(SavedView("Thin", "calls"))
        at = self.saved(open_page, "Thin", q="view:thin")
        assert "there is already a view 'Thin'" in texts(at)
        assert filled.views.all()[0].page == "calls"

    def test_the_link_spells_the_address(self) -> None:
        view = SavedView("x", "run", {"run": "a b&c", "panel": "calls", "step": "calls[3]"})
        assert link_of(view).endswith("/run?run=a+b%26c&panel=calls&step=calls%5B3%5D")
        assert link_of(SavedView("x", "runs")).endswith("/")

    def test_every_page_of_a_view_is_a_page_of_the_app(self) -> None:
        assert {f"views/{name}.py" for name in VIEW_PAGES} == set(VIEW_PAGES.values())
        assert state.RUN_PAGE in VIEW_PAGES.values()


@pytest.mark.parametrize(
    ("path", "tail"),
    [
        ("a.jsonl", "a.jsonl"),
        ("/a.jsonl", "/a.jsonl"),
        ("exports/a.jsonl", "exports/a.jsonl"),
        ("/very/long/" + "x" * 30 + "/nightly/a.jsonl", "…/nightly/a.jsonl"),
        ("C:\\data\\a.jsonl", "C:/data/a.jsonl"),
        ("dir/" + "y" * 60, "…/" + "y" * 60),
    ],
)
def test_a_path_is_told_by_its_end(path: str, tail: str) -> None:
    assert tail_of_path(path) == tail


def test_an_export_holds_the_documents_of_what_is_picked(filled: Store) -> None:
    query = Selection("", ("run_good",)).as_query()
    document = documents_export(filled, query)()
    assert orjson.loads(document)["final_response"] == "All fine."
    header, row, *rest = rows_export(filled, query)().decode().splitlines()
    assert header.startswith("run_id,") and row.startswith("run_good,") and rest == []
