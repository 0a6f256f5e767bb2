"""What the declared tools are held to, and what is wrong with the declarations themselves (R33, R34)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from trace_store.contract.arguments import canonical
from trace_store.contract.scalars import kind_of
from trace_store.contract.tools import MODES, TOOL_NAME, TOOLS_KEY, Mode, mode_of
from trace_store.evidence.paths import below
from trace_store.evidence.schemas import Schema, SchemaCompiler
from trace_store.evidence.wording import named, said
from trace_store.model import JSON

EXECUTED = "executed"


class Complaint(NamedTuple):
    """Something wrong with a declaration: the path, and a sentence."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A declared tool: where it stands, its mode (null: an unknown one), and the schemas that can be checked against.

    A missing output schema is not the same as one that is broken."""

    path: str
    mode: Mode | None
    input: Schema | None
    output: Schema | None
    has_output: bool


@dataclass(slots=True)
class Toolbox:
    """The declared tools by name, and the complaints about them. An empty `tools_schema` counts as none (R36)."""

    is_declared: bool = False
    tools: dict[str, DeclaredTool] = field(default_factory=dict)
    faults: list[Complaint] = field(default_factory=list)
    unbound: list[Complaint] = field(default_factory=list)

    @property
    def executed(self) -> frozenset[str]:
        """The tools whose own code ran in the sandbox."""
        return frozenset(
            name for name, tool in self.tools.items() if tool.mode is not None and tool.mode.public == EXECUTED
        )

    def lacks(self, name: str) -> bool:
        """Whether tools are declared, and one of that name is not among them."""
        return self.is_declared and name not in self.tools


class SchemaCache:
    """What one import knows of tool declarations: each list of tools is read, and each schema compiled, once. Not
    shared between threads."""

    MAX_TOOLBOXES = 500

    def __init__(self) -> None:
        self._compiler = SchemaCompiler()
        self._toolboxes: dict[bytes, Toolbox] = {}

    def toolbox(self, entries: JSON) -> Toolbox:
        """The tools that a body's `tools_schema` declares."""
        if not isinstance(entries, list) or not entries:
            return Toolbox()
        key = canonical(entries)
        toolbox = self._toolboxes.get(key)
        if toolbox is None:
            if len(self._toolboxes) >= self.MAX_TOOLBOXES:
                self._toolboxes.clear()
            toolbox = self._toolboxes[key] = _read(entries, self._compiler)
        return toolbox


def _read(entries: list[JSON], compiler: SchemaCompiler) -> Toolbox:
    toolbox = Toolbox(is_declared=True)
    for i, entry in enumerate(entries):
        path = f"{TOOLS_KEY}[{i}]"
        if isinstance(entry, dict):
            _read_tool(toolbox, path, entry, compiler)
        else:
            toolbox.faults.append(Complaint(path, f"a declared tool must be an object, found {kind_of(entry)}"))
    return toolbox


def _read_tool(toolbox: Toolbox, path: str, entry: Mapping[str, JSON], compiler: SchemaCompiler) -> None:
    faults = toolbox.faults
    name = entry.get("name")
    label = f"the tool {named(name)}" if isinstance(name, str) and name else "a declared tool"
    if name is None:
        faults.append(Complaint(path, "a declared tool has no name"))
    elif not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        faults.append(Complaint(f"{path}.name", f"{said(name)} cannot be the name of a tool"))
    elif name in toolbox.tools:
        faults.append(Complaint(f"{path}.name", f"the name {named(name)} is declared more than once; the first holds"))
    mode = mode_of(entry)
    if mode is None:
        stated = entry["default_execution_mode"]
        words = ", ".join(MODES)
        faults.append(
            Complaint(f"{path}.default_execution_mode", f"{label} has the mode {said(stated)}, not one of {words}")
        )
    elif mode.public == "live" and entry.get("passthrough_binding") is None:
        toolbox.unbound.append(Complaint(path, f"{label} is live, but has no passthrough_binding to say where it is"))
    if entry.get("input_schema") is None:
        faults.append(Complaint(path, f"{label} has no input_schema"))
    input_ = _schema(entry, "input_schema", path, label, toolbox, compiler)
    output = _schema(entry, "output_schema", path, label, toolbox, compiler)
    if isinstance(name, str) and name not in toolbox.tools:
        usable = TOOL_NAME.fullmatch(name) is not None
        toolbox.tools[name] = DeclaredTool(
            path, mode, input_ if usable else None, output if usable else None, entry.get("output_schema") is not None
        )


def _schema(
    entry: Mapping[str, JSON], key: str, path: str, label: str, toolbox: Toolbox, compiler: SchemaCompiler
) -> Schema | None:
    """The compiled schema under a key; None where there is none that can be used, which is noted."""
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        toolbox.faults.append(
            Complaint(f"{path}.{key}", f"the {key} of {label} must be an object, found {kind_of(value)}")
        )
        return None
    schema = compiler.schema(value)
    if schema.fault is None:
        return schema
    at = below(f"{path}.{key}", schema.fault.path)
    toolbox.faults.append(Complaint(at, f"the {key} of {label} cannot be checked against: {schema.fault.reason}"))
    return None
