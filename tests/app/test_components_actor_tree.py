"""The actor tree component's data."""

from __future__ import annotations

from app.components.actor_tree import build_actor_tree, count_labels
from tests.browser.component_runs import small_tree
from trace_store.model import Actor, Topology


def test_nodes_stand_in_the_order_a_tree_is_read_in_whatever_the_order_they_came() -> None:
    actors = [
        Actor("a", None, "declared"),
        Actor("b", None, "declared"),
        Actor("a/x", "a", "declared"),
        Actor("b/y", "b", "declared"),
        Actor("a/x/z", "a/x", "declared"),
    ]
    nodes = build_actor_tree(actors, Topology())["nodes"]
    assert [(node["path"], node.get("parent")) for node in nodes] == [
        ("a", None),
        ("a/x", 0),
        ("a/x/z", 1),
        ("b", None),
        ("b/y", 3),
    ]


def test_a_node_is_called_by_its_leaf_and_a_malformed_one_by_its_whole_text() -> None:
    labels = {node["path"]: node["label"] for node in small_tree()["nodes"]}
    assert labels["supervisor/refund_agnt"] == "refund_agnt"
    assert labels["bad//<b>label</b>"] == "bad//<b>label</b>"
    assert labels[""] == ""


def test_a_node_whose_parent_is_missing_is_not_lost() -> None:
    nodes = build_actor_tree([Actor("gone/child", "gone", "declared")], Topology())["nodes"]
    assert [node["path"] for node in nodes] == ["gone/child"]
    assert "parent" not in nodes[0]


def test_figures_suggestion_and_silence_come_through() -> None:
    nodes = {node["path"]: node for node in small_tree()["nodes"]}
    supervisor = nodes["supervisor"]
    assert (supervisor["calls"], supervisor["all_calls"], supervisor["all_failed"]) == (1, 7, 3)
    assert supervisor["all_classes"] == {"lock_contention": 2, "run_token_expired": 1}
    assert nodes["supervisor/refund_agnt"]["suggestion"] == "refund_agent"
    assert nodes["billing_agent"]["silent"] is True


def test_hand_offs_are_merged_by_pair_and_keep_their_reasons() -> None:
    data = small_tree()
    assert data["entry"] == "supervisor"
    assert [(h["source"], h["target"], h["declared"], h["observed"], h["reasons"]) for h in data["hand_offs"]] == [
        ("supervisor", "refund_agent", True, 2, ["refund asked", "again"]),
        ("supervisor", "billing_agent", True, 0, []),
        ("refund_agent", "stranger", False, 1, []),
    ]


def test_neither_unattributed_calls_nor_mere_parents_count_as_labels() -> None:
    nobody = Actor(None, None, "unattributed")
    assert count_labels([nobody]) == 0
    assert count_labels([nobody, Actor("a", None, "structural"), Actor("a/x", "a", "declared")]) == 1
