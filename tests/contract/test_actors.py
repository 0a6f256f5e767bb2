"""R28-R32: labels, the catalog, the tree, and who owns what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import LOCK, OK, REFUSED, logged, one_call, warned_paths
from trace_store.contract import normalise
from trace_store.contract.actor_tree import MAX_COMPARISONS, Suggestions, edit_distance
from trace_store.contract.actors import read_catalog
from trace_store.model import Actor, Run

INJECTED = {"source": "injected", "matched_rule_index": 0, "error_class": "x"}


def node(run: Run, path: str | None) -> Actor:
    nodes = [actor for actor in run.actors if actor.path == path]
    assert len(nodes) == 1, run.actors
    return nodes[0]


def paths(run: Run) -> list[str | None]:
    return [actor.path for actor in run.actors]


@pytest.mark.parametrize("label", ["a", "a/b", "A.b:c_d-9", "x" * 64, "/".join("abcdefgh"), "/".join(["x" * 63] * 4)])
def test_well_formed_labels(label: str) -> None:
    assert one_call(actor_id=label).actor_status == "unchecked"


@pytest.mark.parametrize(
    "label",
    ["a//b", "/a", "a/", "/", "a b", "a / b", "é", "a\nb", "x" * 65, "/".join("abcdefghi"), "/".join(["x" * 64] * 4)],
)
def test_malformed_labels_are_kept_as_they_are(label: str) -> None:
    call = one_call(actor_id=label)
    assert (call.actor_id, call.actor_status) == (label, "malformed")


@pytest.mark.parametrize("label", [None, "", " ", "\t\n"])
def test_a_blank_label_is_unattributed(label: str | None) -> None:
    call = one_call(actor_id=label)
    assert (call.actor_id, call.actor_status) == (None, "unattributed")


def test_a_label_is_trimmed() -> None:
    assert one_call(actor_id=" a/b\n").actor_id == "a/b"


@pytest.mark.parametrize(("value", "text"), [(7, "7"), (True, "True"), (["a"], "['a']")])
def test_a_label_that_is_no_text_is_malformed(value: Any, text: str) -> None:
    run = logged({"actor_id": value}, {"actor_id": text})
    call = run.calls[0]
    assert (call.actor_id, call.actor_status, call.extra, warned_paths(run)) == (
        text,
        "malformed",
        {"actor_id": value},
        [],
    )


def test_the_catalog_unites_both_places_and_skips_what_is_malformed() -> None:
    run = logged(
        sub_agents=["a", {"actor_id": " b "}, 5, None, {}, {"name": "c"}, "bad name", "", {"actor_id": 7}, "a"],
        declared_actor_ids=["d", "b", {"actor_id": "e"}, []],
    )
    assert run.declared_actors == ["a", "b", "d", "e"]
    assert warned_paths(run) == []


@pytest.mark.parametrize(
    "body", [{}, {"sub_agents": []}, {"sub_agents": [5]}, {"sub_agents": None, "declared_actor_ids": []}]
)
def test_an_empty_catalog_checks_nothing(body: dict[str, Any]) -> None:
    run = logged({"actor_id": "a/b"}, **body)
    assert (run.declared_actors, run.calls[0].actor_status) == (None, "unchecked")


@pytest.mark.parametrize(
    ("label", "catalog", "status"),
    [
        ("a/b", ["b"], "declared"),
        ("a/b", ["a/b"], "declared"),
        ("a/b", ["a"], "undeclared"),
        ("b", ["a/b"], "undeclared"),
        ("x/a/b", ["a/b"], "undeclared"),
        ("B", ["b"], "undeclared"),
        ("a//b", ["b"], "malformed"),
        ("", ["b"], "unattributed"),
    ],
)
def test_a_label_is_declared_whole_or_by_its_leaf(label: str, catalog: list[str], status: str) -> None:
    assert logged({"actor_id": label}, sub_agents=catalog).calls[0].actor_status == status


def test_each_prefix_is_a_node_before_its_subtree() -> None:
    run = logged({"actor_id": "a/b/c"}, {"actor_id": "d"}, {}, {"actor_id": "a/x"}, {"actor_id": "bad name"})
    assert paths(run) == ["a", "a/b", "a/b/c", "a/x", "d", "bad name", None]
    assert [actor.parent for actor in run.actors] == [None, "a", "a/b", "a", None, None, None]
    assert [actor.status for actor in run.actors] == [
        "structural",
        "structural",
        "unchecked",
        "unchecked",
        "unchecked",
        "malformed",
        "unattributed",
    ]


def test_without_unattributed_calls_there_is_no_node_for_them() -> None:
    assert paths(logged({"actor_id": "a"})) == ["a"]
    assert logged().actors == []


def test_figures_of_a_node_and_of_its_subtree() -> None:
    run = logged(
        OK | {"actor_id": "a", "latency_ms": 1, "tool_name": "z"},
        LOCK | {"actor_id": "a/b", "latency_ms": 2, "tool_name": "y"},
        INJECTED | {"actor_id": "a/b", "latency_ms": 3, "tool_name": "x"},
        REFUSED | {"actor_id": "a/b/c", "tool_name": "x"},
        LOCK | {"actor_id": "a/b/c", "latency_ms": 4, "tool_name": "x"},
    )
    top, middle = node(run, "a"), node(run, "a/b")
    assert (top.calls, top.failed, top.subtree_calls, top.subtree_failed) == (1, 0, 5, 4)
    assert (top.latency_ms, top.subtree_latency_ms) == (1.0, 10.0)
    assert (top.error_classes, top.subtree_error_classes) == ({}, {"lock_contention": 2, "x": 1})
    assert (middle.calls, middle.failed, middle.subtree_calls, middle.subtree_failed) == (2, 2, 4, 4)
    assert middle.error_classes == {"lock_contention": 1, "x": 1}
    assert (top.tools, middle.tools) == (["z"], ["x", "y"])


def test_an_application_error_is_no_failure() -> None:
    run = logged({"actor_id": "a", "source": "odyssey", "response": {"error": "x"}})
    assert node(run, "a").failed == 0


def test_a_declared_actor_that_acts_by_its_leaf_has_no_other_node() -> None:
    run = logged({"actor_id": "top/a"}, sub_agents=["a"])
    assert paths(run) == ["top", "top/a"]
    assert [actor.status for actor in run.actors] == ["structural", "declared"]


def test_a_declared_actor_that_never_acted_is_a_silent_node() -> None:
    run = logged({"actor_id": "a"}, sub_agents=["a", "b", "team/c"])
    assert [(actor.path, actor.status, actor.silent) for actor in run.actors] == [
        ("a", "declared", False),
        ("team", "structural", False),
        ("team/c", "declared", True),
        ("b", "declared", True),
    ]


def test_a_declared_actor_whose_descendant_acted_is_not_silent() -> None:
    run = logged({"actor_id": "top/boss/a"}, sub_agents=["boss", "a"])
    boss = node(run, "top/boss")
    assert paths(run) == ["top", "top/boss", "top/boss/a"]
    assert (boss.status, boss.silent, boss.calls, boss.subtree_calls) == ("declared", False, 0, 1)


def test_all_declared_actors_are_silent_in_a_run_without_calls() -> None:
    run = normalise({"final_response": "x", "declared_actor_ids": ["a", "a/b"]}).run
    assert [(actor.path, actor.silent) for actor in run.actors] == [("a", True), ("a/b", True)]


def test_an_actor_that_acts_elsewhere_is_not_silent_where_it_is_a_prefix() -> None:
    run = logged({"actor_id": "x/team"}, sub_agents=["team", "team/c"])
    assert [(actor.path, actor.silent) for actor in run.actors] == [
        ("x", False),
        ("x/team", False),
        ("team", False),
        ("team/c", True),
    ]


def test_a_malformed_label_is_a_root_apart_from_a_path_of_the_same_text() -> None:
    run = logged({"actor_id": 7}, {"actor_id": "7/b"}, {"actor_id": 7})
    assert [(actor.path, actor.status, actor.calls) for actor in run.actors] == [
        ("7", "malformed", 2),
        ("7", "structural", 0),
        ("7/b", "unchecked", 1),
    ]


@pytest.mark.parametrize(
    ("label", "catalog", "suggestion"),
    [
        ("refund_agnt", ["refund_agent", "billing_agent"], "refund_agent"),
        ("top/refund_agnt", ["team/refund_agent"], "team/refund_agent"),
        ("refnud_agent", ["refund_agent"], "refund_agent"),
        ("x", ["team/x"], "team/x"),
        ("abc", ["abd"], "abd"),
        ("abc", ["ade"], None),
        ("abcdefg", ["abcdexy"], None),
        ("abcdefgh", ["abcdefxy"], "abcdefxy"),
        ("abcdefgh", ["abcdexyz"], None),
        ("b1", ["b3", "b2", "a1"], "a1"),
        ("aaaa1", ["aaaa22", "aaaa2"], "aaaa2"),
        ("refund", ["REFUND"], None),
    ],
)
def test_an_undeclared_leaf_is_probably_its_nearest_neighbour(
    label: str, catalog: list[str], suggestion: str | None
) -> None:
    assert node(logged({"actor_id": label}, sub_agents=catalog), label).suggestion == suggestion


def test_only_undeclared_nodes_get_a_suggestion() -> None:
    run = logged({"actor_id": "sup/agent_b"}, {"actor_id": "agent b"}, sub_agents=["agent_a", "agent_b", "sub"])
    assert {actor.path: actor.suggestion for actor in run.actors if actor.suggestion} == {}


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("abc", "abc", 0),
        ("ab", "ba", 1),
        ("ca", "abc", 2),
        ("kitten", "sitting", 3),
        ("a cat", "an abct", 3),
    ],
)
def test_the_distance_is_that_of_damerau_and_levenshtein(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == distance


def test_suggestions_of_a_hostile_run_end() -> None:
    suggestions = Suggestions(f"a{i}" for i in range(MAX_COMPARISONS))
    assert suggestions.closest("a0000x") is None
    assert suggestions.closest("a1") == "a1"
    spent = Suggestions(f"b{i:04}" for i in range(MAX_COMPARISONS))
    assert (spent.closest("ccccc"), spent.closest("b0001")) == (None, None)


def test_labels_of_another_length_are_not_compared() -> None:
    suggestions = Suggestions([*("x" * i for i in range(10, 60)), "abcde", "abce", "xabcd"])
    assert suggestions.closest("abcd") == "abcde"
    assert suggestions.comparisons_left == MAX_COMPARISONS - 2


def test_ownership_is_checked_where_the_catalog_lists_tools() -> None:
    catalog = read_catalog(
        {"sub_agents": [{"actor_id": "a", "tools": ["f", {"name": "g"}, 5]}, {"actor_id": "b", "tools": []}, "c"]}
    )
    assert [catalog.owns("a", tool) for tool in ("f", "g", "h")] == [True, True, False]
    assert catalog.owns("top/a", "h") is False
    assert [catalog.owns(actor, "f") for actor in ("b", "c", "unknown")] == [None, None, None]


def test_the_catalog_can_be_read_back_from_the_run() -> None:
    sub_agents = [{"actor_id": "a", "tools": ["f"], "talks_to": ["b"]}]
    run = logged(sub_agents=sub_agents)
    assert run.extra == {"sub_agents": sub_agents}
    assert read_catalog(run.extra).owns("a", "g") is False
