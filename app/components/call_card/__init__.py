"""One chain of the log as the card that the transcript has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from app import glossary
from app.components.frontend import encode_payload, read_files, read_script
from app.components.transcript.data import collect_notes
from app.components.transcript.log import Log, build_chain
from app.components.transcript.payload_types import LogCall, LogChain
from trace_store.model import Call, Run

_component = st.components.v2.component(
    "trace_call_card",
    html=read_files("call_card/call_card.html"),
    css=read_files("shared/theme.css", "shared/json_tree.css", "transcript/card.css", "call_card/call_card.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/json_text.js",
        "shared/json_scan.js",
        "shared/json_tree.js",
        "shared/markdown.js",
        "shared/facts.js",
        "transcript/model.js",
        "transcript/views.js",
        "transcript/blocks.js",
        "transcript/text_blocks.js",
        "transcript/card.js",
        "call_card/call_card.js",
        outcome=glossary.OUTCOME,
        chain=glossary.CHAIN,
        source=glossary.SOURCE,
        actor=glossary.ACTOR,
        agreement=glossary.AGREEMENT,
        call=glossary.CALL,
    ),
)


class CallCardData(TypedDict):
    """The calls of one chain, which `chain` names among the `chains`: itself, and the one that it repeats, if any."""

    run_id: str
    chain: int
    calls: list[LogCall]
    chains: dict[str, LogChain]
    suggestions: dict[str, str]
    attributed: bool


def draw_call_card(
    data: CallCardData,
    *,
    chosen: int,
    rows: int,
    key: str,
    decisive: str | None = None,
    on_jump: Callable[[], None] | None = None,
    on_decisive: Callable[[str], None] | None = None,
) -> None:
    """Draw the card, with the call `chosen` marked among its attempts, and bring its row into sight in the table of all
    `rows` that stands beside it. `on_jump` runs before the page does, when the
    reader has followed a way to another call: `frontend.get_jump` then tells where. `on_decisive` gets the path of the
    step that was made the decisive one."""
    _component(
        data=encode_payload(data, run=data["run_id"], chosen=chosen, rows=rows, decisive=decisive),
        key=key,
        on_jump_change=on_jump or (lambda: None),
        on_decisive_change=lambda: _report_decisive(key, on_decisive),
    )


def build_call_card(run: Run, call: Call) -> CallCardData:
    """Return what the card of the chain of `call` shows."""
    log = Log(run, collect_notes(run))
    chain = log.chains[call.chain]
    numbers = [chain.chain] if chain.repeats is None else [chain.chain, chain.repeats]
    calls = [run.calls[sequence] for sequence in chain.calls]
    return CallCardData(
        run_id=run.run_id,
        chain=chain.chain,
        calls=[log.build_call(one) for one in calls],
        chains={str(number): build_chain(log.chains[number], run.calls) for number in numbers},
        suggestions={actor.path: actor.suggestion for actor in run.actors if actor.path and actor.suggestion},
        attributed=any(one.actor_id is not None for one in run.calls),
    )


def _report_decisive(key: str, on_decisive: Callable[[str], None] | None) -> None:
    choice = st.session_state[key].get("decisive")
    path = choice.get("path") if isinstance(choice, dict) else None
    if on_decisive is not None and isinstance(path, str):
        on_decisive(path)
