"""The tools that a run declares, their schemas, and what is wrong with the declarations themselves (R33, R34)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from trace_store.contract.fields import as_string
from trace_store.contract.scalars import kind_of
from trace_store.contract.tools import MODES, TOOL_NAME, TOOLS_KEY, Mode, mode_of
from trace_store.evidence.findings.formatting import format_name, format_value
from trace_store.evidence.schemas.compiler import Schema, SchemaCompiler, encode
from trace_store.model import JSON, Path

EXECUTED = "executed"


class Problem(NamedTuple):
    """Something wrong with a declaration: the path, and a sentence."""

    path: str
    message: str


class DeclaredTool(NamedTuple):
    """A declared tool: its path, its mode (null if unknown), and its schemas, without those that cannot be used.
    `has_output`: it has an output schema, usable or not."""

    path: str
    mode: Mode | None
    input: Schema | None
    output: Schema | None
    has_output: bool


@dataclass(slots=True)
class DeclaredTools:
    """The declared tools by name, and the problems of their declarations. An empty `tools_schema` counts as none
    (R36)."""

    is_declared: bool = False
    tools: dict[str, DeclaredTool] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)
    unbound: list[Problem] = field(default_factory=list)

    @property
    def executed(self) -> frozenset[str]:
        """The names of the tools whose own code ran in the sandbox."""
        return frozenset(
            name for name, tool in self.tools.items() if tool.mode is not None and tool.mode.public == EXECUTED
        )

    def lacks(self, name: str) -> bool:
        """Return whether tools are declared, and none of that name is among them."""
        return self.is_declared and name not in self.tools


class SchemaCache:
    """The tool declarations of one import: each list and each tool is read once, and each schema compiled once. Not
    shared between threads."""

    MAX_TOOL_LISTS = 500
    MAX_DECLARATIONS = 5_000

    def __init__(self) -> None:
        self._compiler = SchemaCompiler()
        self._tool_lists: dict[bytes, DeclaredTools] = {}
        self._declarations: dict[bytes, _Declaration] = {}

    def read_tools(self, entries: JSON) -> DeclaredTools:
        """Return the tools that a body's `tools_schema` declares."""
        if not isinstance(entries, list) or not entries:
            return DeclaredTools()
        key = encode(entries)
        declared = self._tool_lists.get(key)
        if declared is None:
            if len(self._tool_lists) >= self.MAX_TOOL_LISTS:
                self._tool_lists.clear()
            declared = self._tool_lists[key] = self._read(entries)
        return declared

    def _read(self, entries: list[JSON]) -> DeclaredTools:
        declared = DeclaredTools(is_declared=True)
        for i, entry in enumerate(entries):
            path = f"{TOOLS_KEY}[{i}]"
            if isinstance(entry, dict):
                _add(declared, path, self._declaration(entry))
            else:
                declared.faults.append(Problem(path, f"a declared tool must be an object, found {kind_of(entry)}"))
        return declared

    def _declaration(self, entry: dict[str, JSON]) -> _Declaration:
        key = encode(entry)
        declaration = self._declarations.get(key)
        if declaration is None:
            if len(self._declarations) >= self.MAX_DECLARATIONS:
                self._declarations.clear()
            declaration = self._declarations[key] = _declaration_of(entry, self._compiler)
        return declaration


@dataclass(slots=True)
class _Declaration:
    """An entry read by itself, whatever its place: the paths of its problems begin below it. `is_usable`: its name can
    be that of a tool."""

    name: str | None
    is_usable: bool
    mode: Mode | None
    has_output: bool
    input: Schema | None = None
    output: Schema | None = None
    faults: list[Problem] = field(default_factory=list)
    unbound: list[Problem] = field(default_factory=list)


def _add(declared: DeclaredTools, path: str, declaration: _Declaration) -> None:
    name = declaration.name
    if name is not None and name not in declared.tools:
        declared.tools[name] = DeclaredTool(
            path, declaration.mode, declaration.input, declaration.output, declaration.has_output
        )
    elif name is not None and declaration.is_usable:
        message = f"the name {format_name(name)} is declared more than once; the first holds"
        declared.faults.append(Problem(f"{path}.name", message))
    declared.faults += [Problem(path + fault.path, fault.message) for fault in declaration.faults]
    declared.unbound += [Problem(path + unbound.path, unbound.message) for unbound in declaration.unbound]


def _declaration_of(entry: Mapping[str, JSON], compiler: SchemaCompiler) -> _Declaration:
    name, mode = entry.get("name"), mode_of(entry)
    is_usable = isinstance(name, str) and TOOL_NAME.fullmatch(name) is not None
    declaration = _Declaration(as_string(name), is_usable, mode, entry.get("output_schema") is not None)
    faults = declaration.faults
    label = f"the tool {format_name(name)}" if isinstance(name, str) and name else "a declared tool"
    if name is None:
        faults.append(Problem("", "a declared tool has no name"))
    elif not is_usable:
        faults.append(Problem(".name", f"{format_value(name)} cannot be the name of a tool"))
    if mode is None:
        stated = entry["default_execution_mode"]
        words = ", ".join(MODES)
        faults.append(
            Problem(".default_execution_mode", f"{label} has the mode {format_value(stated)}, not one of {words}")
        )
    elif mode.public == "live" and entry.get("passthrough_binding") is None:
        message = f"{label} is live, but has no passthrough_binding to say where it is"
        declaration.unbound.append(Problem("", message))
    if entry.get("input_schema") is None:
        faults.append(Problem("", f"{label} has no input_schema"))
    schemas = [_schema(entry, key, label, faults, compiler) for key in ("input_schema", "output_schema")]
    if is_usable:
        declaration.input, declaration.output = schemas
    return declaration


def _schema(
    entry: Mapping[str, JSON], key: str, label: str, faults: list[Problem], compiler: SchemaCompiler
) -> Schema | None:
    """Return the compiled schema under a key; None without one, and where it cannot be used, which is a fault."""
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        faults.append(Problem(f".{key}", f"the {key} of {label} must be an object, found {kind_of(value)}"))
        return None
    compiled = compiler.compile(value)
    if isinstance(compiled, Schema):
        return compiled
    at = f".{Path.of(key, *compiled.path)}"
    faults.append(Problem(at, f"the {key} of {label} cannot be used: {compiled.reason}"))
    return None
