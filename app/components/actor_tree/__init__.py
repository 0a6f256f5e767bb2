"""The actor tree: who made the calls, declared or not, with figures, and who handed over to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TypedDict

import streamlit as st

from app import glossary
from app.components.frontend import encode_payload, read_files, read_script
from trace_store.model import Actor, NodeStatus, Topology

_component = st.components.v2.component(
    "trace_actor_tree",
    html=read_files("actor_tree/actor_tree.html"),
    css=read_files("shared/theme.css", "actor_tree/actor_tree.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/virtual_list.js",
        "actor_tree/model.js",
        "actor_tree/rows.js",
        "actor_tree/actor_tree.js",
        actor=glossary.ACTOR,
    ),
)


class ActorNode(TypedDict, total=False):
    """A node. `path` is "" for unattributed calls, `label` its leaf; `parent` is a position in the list of nodes.
    `failed` and the latencies (sums, in milliseconds) are of its own calls, `all_` is its subtree (R31)."""

    path: str
    label: str
    parent: int
    status: NodeStatus
    silent: bool
    suggestion: str
    calls: int
    all_calls: int
    failed: int
    all_failed: int
    all_latency_ms: float
    all_classes: dict[str, int]
    tools: list[str]


class HandOff(TypedDict):
    """An edge between two actors: whether the topology declares it, how often it was seen, and the reasons given."""

    source: str
    target: str
    declared: bool
    observed: int
    reasons: list[str]


class ActorTreeData(TypedDict):
    """Everything the component shows. `nodes` are in preorder: a node's subtree follows it."""

    nodes: list[ActorNode]
    entry: str | None
    hand_offs: list[HandOff]


def draw_actor_tree(
    data: ActorTreeData,
    *,
    focus: str | None = None,
    height: int = 480,
    key: str = "actor_tree",
    on_select: Callable[[], None] | None = None,
) -> str | None:
    """Draw the tree in `height` pixels; return the path of the actor that the reader has chosen, if any.

    The path of unattributed calls is "". `focus` is a path to open, scroll to and mark. `on_select` runs before the
    page does, when the reader has chosen.
    """
    result = _component(
        data=encode_payload(data, height=height, focus=focus),
        key=key,
        height=height,
        on_selected_change=on_select or (lambda: None),
    )
    selected = result.get("selected")
    # A choice made in another tree under the same key means nothing in this one.
    return selected if any(node["path"] == selected for node in data["nodes"]) else None


def build_actor_tree(actors: Sequence[Actor], topology: Topology) -> ActorTreeData:
    """Return what the tree shows of `actors` (of one run, or summed over many) and of their hand-offs."""
    paths = {actor.path for actor in actors}
    children: defaultdict[str | None, list[Actor]] = defaultdict(list)
    for actor in actors:
        # A node whose parent is not among the nodes becomes a root: nothing is left out.
        children[actor.parent if actor.parent in paths else None].append(actor)
    nodes: list[ActorNode] = []
    stack = [(actor, -1) for actor in reversed(children[None])]
    while stack:
        actor, parent = stack.pop()
        position = len(nodes)
        nodes.append(_build_node(actor, parent))
        if actor.path is not None:
            stack += [(child, position) for child in reversed(children[actor.path])]
    return ActorTreeData(nodes=nodes, entry=topology.entry, hand_offs=_merge_hand_offs(topology))


def count_labels(actors: Sequence[Actor]) -> int:
    """Return the number of labels, as the tree counts them: neither the unattributed calls nor the mere parents."""
    return sum(actor.path is not None and actor.status != "structural" for actor in actors)


def _build_node(actor: Actor, parent: int) -> ActorNode:
    path = actor.path or ""
    node = ActorNode(
        path=path,
        label=path if actor.status == "malformed" else path.rsplit("/", 1)[-1],
        status=actor.status,
        calls=actor.calls,
        all_calls=actor.subtree_calls,
        failed=actor.failed,
        all_failed=actor.subtree_failed,
        all_latency_ms=actor.subtree_latency_ms,
    )
    if parent >= 0:
        node["parent"] = parent
    if actor.silent:
        node["silent"] = True
    if actor.suggestion is not None:
        node["suggestion"] = actor.suggestion
    if actor.subtree_error_classes:
        node["all_classes"] = actor.subtree_error_classes
    if actor.tools:
        node["tools"] = actor.tools
    return node


def _merge_hand_offs(topology: Topology) -> list[HandOff]:
    """Return one entry a pair of actors, in the order of first mention."""
    merged: dict[tuple[str, str], HandOff] = {}
    for edge in topology.edges:
        pair = (edge["from"], edge["to"])
        hand_off = merged.setdefault(
            pair, HandOff(source=pair[0], target=pair[1], declared=False, observed=0, reasons=[])
        )
        if edge["kind"] == "declared":
            hand_off["declared"] = True
        else:
            hand_off["observed"] += 1
        reason = edge.get("reason")
        if reason and reason not in hand_off["reasons"]:
            hand_off["reasons"].append(reason)
    return list(merged.values())
