"""The actor tree: who made the calls, declared or not, with figures, and who handed over to whom."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.components.actor_tree.data import ActorTreeData, actor_tree_data, labels_of
from app.components.assets import source
from app.components.payload import payload

__all__ = ["ActorTreeData", "actor_tree", "actor_tree_data", "labels_of"]

_component = st.components.v2.component(
    "trace_actor_tree",
    html=source("actor_tree/actor_tree.html"),
    css=source("shared/theme.css", "actor_tree/actor_tree.css"),
    js=source(
        "shared/dom.js",
        "shared/literal.js",
        "shared/words.js",
        "shared/virtual_list.js",
        "actor_tree/model.js",
        "actor_tree/rows.js",
        "actor_tree/actor_tree.js",
    ),
)


def actor_tree(
    data: ActorTreeData,
    *,
    focus: str | None = None,
    height: int = 480,
    key: str = "actor_tree",
    on_select: Callable[[], None] | None = None,
) -> str | None:
    """Draws the tree in `height` pixels and returns the path of the actor that the reader has chosen, if any.

    The path of unattributed calls is "". `focus` is a path to open, scroll to and mark. `on_select` runs before the
    page does, when the reader has chosen.
    """
    result = _component(
        data=payload(data, height=height, focus=focus),
        key=key,
        height=height,
        on_selected_change=on_select or (lambda: None),
    )
    chosen = result.get("selected")
    # A choice made in another tree under the same key is none of this one.
    return chosen if any(node["path"] == chosen for node in data["nodes"]) else None
