"""Actor labels (R28), the catalog of declared actors (R29, R30), and who owns which tool (R32)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from trace_store.model import JSON, ActorStatus

CATALOG_KEYS = ("sub_agents", "declared_actor_ids")
"""The keys for the declared actors of a body; both are read (R29)."""

MAX_LENGTH = 256
_LABEL = re.compile(r"[a-zA-Z0-9_.:-]{1,64}(/[a-zA-Z0-9_.:-]{1,64}){0,7}")


def is_label(label: str) -> bool:
    """Return whether a trimmed label is well-formed: a call path of at most 8 segments and 256 characters (R28)."""
    return len(label) <= MAX_LENGTH and _LABEL.fullmatch(label) is not None


def leaf_of(label: str) -> str:
    """Return the last segment of a label: the one that acts."""
    return label.rpartition("/")[2]


@dataclass(slots=True)
class Declaration:
    """The catalog entry of an actor: the tools it owns (any, if none is listed), and the actors it hands off to."""

    tools: set[str] = field(default_factory=set)
    talks_to: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Catalog:
    """The declared actors by label, in the order of their declaration. An empty one checks nothing (R29)."""

    actors: dict[str, Declaration] = field(default_factory=dict)
    _attributed: dict[str, tuple[str | None, ActorStatus]] = field(default_factory=dict, repr=False, compare=False)

    def match(self, label: str) -> str | None:
        """Return the declared label that matches: the whole label, or else its leaf (R30)."""
        if label in self.actors:
            return label
        leaf = leaf_of(label)
        return leaf if leaf in self.actors else None

    def owns(self, label: str, tool: str) -> bool | None:
        """Return whether an actor owns a tool; None where the catalog lists no tools for it (R32)."""
        matched = self.match(label)
        tools = self.actors[matched].tools if matched is not None else None
        return tool in tools if tools else None

    def attribute(self, value: JSON) -> tuple[str | None, ActorStatus]:
        """Return the label of a call as the run document shows it, and its status (R28, R30).

        A label is trimmed, and not otherwise changed. A value that is not a string is malformed, and becomes its text.
        """
        if value is None:
            return None, "unattributed"
        if not isinstance(value, str):
            return str(value), "malformed"
        attributed = self._attributed.get(value)
        if attributed is None:
            attributed = self._attributed[value] = self._attribute(value.strip())
        return attributed

    def _attribute(self, label: str) -> tuple[str | None, ActorStatus]:
        if not label:
            return None, "unattributed"
        return label, self.status(label) if is_label(label) else "malformed"

    def status(self, label: str) -> ActorStatus:
        """Return the status of a well-formed label."""
        if not self.actors:
            return "unchecked"
        return "undeclared" if self.match(label) is None else "declared"


def read_catalog(body: Mapping[str, JSON]) -> Catalog:
    """Return the catalog of a body, or of the `extra` of its run, which keeps the declarations unchanged (R29)."""
    catalog = Catalog()
    for key in CATALOG_KEYS:
        entries = body.get(key)
        for entry in entries if isinstance(entries, list) else ():
            _declare(catalog, entry)
    return catalog


def _declare(catalog: Catalog, entry: JSON) -> None:
    details = entry if isinstance(entry, dict) else {}
    label = details.get("actor_id") if details else entry
    if not isinstance(label, str) or not is_label(label := label.strip()):
        return
    declaration = catalog.actors.setdefault(label, Declaration())
    if isinstance(tools := details.get("tools"), list):
        declaration.tools.update(_names(tools))
    if isinstance(talks_to := details.get("talks_to"), list):
        declaration.talks_to.extend(name.strip() for name in _names(talks_to))


def _names(entries: list[JSON]) -> list[str]:
    """Return the names in a list of texts or of objects with a `name`; without the blank ones."""
    names = []
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else entry
        if isinstance(name, str) and name.strip():
            names.append(name)
    return names
