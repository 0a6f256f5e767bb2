"""Actors as the tree component's data: plain JSON, nodes in the order in which a tree is read. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypedDict

from trace_store.model import Actor, NodeStatus, Topology


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


def actor_tree_data(actors: Sequence[Actor], topology: Topology) -> ActorTreeData:
    """What the tree component shows of `actors` (of one run, or summed over many) and their hand-offs."""
    known = {actor.path for actor in actors}
    children: defaultdict[str | None, list[Actor]] = defaultdict(list)
    for actor in actors:
        # A node whose parent is not among the nodes stands at the root: nothing is left out.
        children[actor.parent if actor.parent in known else None].append(actor)
    nodes: list[ActorNode] = []
    waiting = [(actor, -1) for actor in reversed(children[None])]
    while waiting:
        actor, parent = waiting.pop()
        position = len(nodes)
        nodes.append(_node(actor, parent))
        if actor.path is not None:
            waiting += [(child, position) for child in reversed(children[actor.path])]
    return ActorTreeData(nodes=nodes, entry=topology.entry, hand_offs=_hand_offs(topology))


def labels_of(actors: Sequence[Actor]) -> int:
    """How many labels the run has, as the tree counts them: neither the unattributed calls nor the mere parents."""
    return sum(actor.path is not None and actor.status != "structural" for actor in actors)


def _node(actor: Actor, parent: int) -> ActorNode:
    whole = actor.path or ""
    node = ActorNode(
        path=whole,
        label=whole if actor.status == "malformed" else whole.rsplit("/", 1)[-1],
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


def _hand_offs(topology: Topology) -> list[HandOff]:
    """One entry a pair of actors, in the order of first mention."""
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
