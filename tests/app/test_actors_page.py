"""The Actors page: what its tables say, and where their figures lead."""

from __future__ import annotations

import pytest

from app import state
from app.parts.actors import NOBODY, actor_target, statuses_elsewhere
from tests.app.conftest import OpenPage
from tests.store.building import body, put
from trace_store.store import Store


@pytest.mark.usefixtures("filled")
def test_undeclared_labels_stand_first_with_suggestion_calls_and_runs(open_page: OpenPage) -> None:
    labels, tree = (table.value for table in open_page("actors").dataframe[-2:])
    row = labels.iloc[0]
    assert (row["label"], row["suggestion"], row["calls"], row["runs"]) == ("refund_agnt", "refund_agent", 3, 1)
    assert row["first"] == "run_retried"
    assert list(tree["actor"]) == ["refund_agnt", NOBODY, "refund_agent"]


@pytest.mark.usefixtures("filled")
def test_a_query_narrows_the_actors(open_page: OpenPage) -> None:
    at = open_page("actors", q="tool:charge")
    tree = at.dataframe[-1].value
    assert list(tree["actor"]) == [NOBODY]


@pytest.mark.usefixtures("url")
def test_an_empty_store_says_where_to_begin(open_page: OpenPage) -> None:
    assert any("There are no actors yet" in text.value for text in open_page("actors").markdown)


def test_a_label_that_other_runs_declare_says_so(filled: Store) -> None:
    actors = filled.figures.actors()
    actors.loc[len(actors)] = actors.iloc[0].to_dict() | {"status": "declared", "runs": 12}
    assert statuses_elsewhere(actors, "refund_agnt", "undeclared") == "declared in 12 runs"


@pytest.mark.parametrize(
    ("path", "status", "column", "page", "terms"),
    [
        ("a/b", "undeclared", "label", state.CALLS_PAGE, ["actor:a/b", "actor_status:undeclared"]),
        ("a b*", "malformed", "runs", state.RUNS_PAGE, ['actor:"a b*"', "actor_status:malformed"]),
        (None, "unattributed", "calls", state.CALLS_PAGE, ["actor:none", "actor_status:unattributed"]),
        ("a", "structural", "actor", state.CALLS_PAGE, ["actor:a/**"]),
        ("a", "declared", "below", state.CALLS_PAGE, ["actor:a/**"]),
        ("a", "declared", "silent", state.RUNS_PAGE, ["finding:actor_silent"]),
    ],
)
def test_each_figure_leads_to_what_it_counts(
    path: str | None, status: str, column: str, page: str, terms: list[str]
) -> None:
    assert actor_target(path, status, column) == (page, terms)


def test_what_is_below_a_label_counts_once_and_only_where_there_is_any(url: str, open_page: OpenPage) -> None:
    def call(actor: str) -> dict[str, object]:
        return {"tool_name": "t", "arguments": {}, "source": "odyssey", "actor_id": actor}

    with Store.open(url) as store:
        put(store, {**body("a", sub_agents=["boss"]), "proxy_calls": [call("boss"), call("boss/worker")]})
        put(store, {**body("b", sub_agents=["nobody"]), "proxy_calls": [call("boss")]})
    tree = open_page("actors").dataframe[-1].value
    rows = tree[[str(actor).endswith(("boss", "worker")) for actor in tree["actor"]]]
    assert sorted(rows["below"].dropna()) == [3]
