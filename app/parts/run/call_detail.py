"""One call of the log in full: what was asked, what came back, who asked, and the attempts of its chain."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import glossary, render
from app.formatting import decimal, milliseconds, seconds
from app.parts.run import payloads
from trace_store.contract.retries import retry_delays
from trace_store.evidence import as_envelope
from trace_store.model import Call, Chain, Run


def show(run: Run, call: Call) -> None:
    """The detail pane beside the log."""
    chain = run.chains[call.chain] if call.chain < len(run.chains) else None
    name = render.literal(call.tool_name) if call.tool_name else "unreadable call"
    render.heading(f"Call {call.sequence:,} {name}")
    with st.container(key="call-chips", horizontal=True, gap="xsmall"):
        render.badge(glossary.OUTCOME[call.outcome])
        render.badge(source_term(call.source), "" if call.source is None else "source")
        if chain is not None and len(chain.calls) > 1:
            render.badge(glossary.CHAIN[chain.outcome], f"attempt {call.attempt} of {len(chain.calls)},")
        if call.stale_token:
            render.badge(glossary.STALE_TOKEN)
        render.badge(glossary.ACTOR[call.actor_status], "actor")
    st.code("\n".join(f"{name:<16}{value}" for name, value in facts(run, call)), language=None, wrap_lines=True)
    payloads.show("Arguments" if call.arguments_decoded else "Arguments as text, not decodable (R11)", call.arguments)
    payloads.show("Response", call.response)
    if call.error is not None:
        payloads.show("Error", call.error)
    if chain is not None and len(chain.calls) > 1:
        _attempts(run, chain)
    _envelope(run, call)
    if call.validation is not None:
        payloads.show("Validation", call.validation)
    if call.extra:
        payloads.show("What else the log carried", call.extra)


def source_term(source: str | None) -> glossary.Term:
    """The badge of a source (R17): unknown values are shown as they came."""
    if source is None:
        return glossary.NO_SOURCE
    known = glossary.SOURCE.get(source)
    return known or glossary.Term(render.literal(source, 30), "yellow", glossary.UNKNOWN_SOURCE.meaning)


def facts(run: Run, call: Call) -> list[tuple[str, str]]:
    """What the log knows of the call, name and value, only what is there."""
    suggestion = next((actor.suggestion for actor in run.actors if actor.path == call.actor_id), None)
    actor = call.actor_id or ("none: unattributed" if call.actor_status == "unattributed" else None)
    if actor and suggestion:
        actor = f"{actor} · did you mean {suggestion}?"
    rows = [
        ("actor", actor),
        ("status", call.status_code),
        ("error class", call.error_class),
        ("retryable", "yes" if call.retryable else None),
        ("latency", None if call.latency_ms is None else milliseconds(call.latency_ms)),
        ("failure rule", call.matched_rule_index),
        ("started", call.started_at),
        ("lane", call.lane if call.lane != "tool" else None),
        ("idempotency key", call.idempotency_key),
    ]
    return [(name, render.visible(str(value))) for name, value in rows if value is not None]


def _envelope(run: Run, call: Call) -> None:
    envelope = as_envelope(call, run.run_id)
    if envelope is None:
        return
    with st.container(key="call-envelope", gap="xxsmall"):
        render.note("The failure as an envelope (R40): no text of the run is in it, it is safe to share")
        st.code(payloads.pretty(envelope), language=None, wrap_lines=True)


def _attempts(run: Run, chain: Chain) -> None:
    by_sequence = {call.sequence: call for call in run.calls}
    delays = retry_delays(chain, run.calls)
    rows = []
    for number, sequence in enumerate(chain.calls):
        attempt = by_sequence[sequence]
        rows.append(
            {
                "call": sequence,
                "outcome": glossary.OUTCOME[attempt.outcome].word,
                "class": attempt.error_class or (str(attempt.status_code) if attempt.status_code else ""),
                "latency": attempt.latency_ms,
                "wait": delays[number - 1].wait_ms if number else None,
            }
        )
    again = f" It repeats chain {chain.repeats:,}: the model asked again (R25)." if chain.repeats is not None else ""
    render.note(f"{render.counted(len(chain.calls), 'attempt')}, {seconds(chain.wasted_ms)} lost.{again}")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height="content",
        column_config={
            "call": st.column_config.NumberColumn("Call", width=44),
            "outcome": st.column_config.TextColumn("Outcome", width=68),
            "class": st.column_config.TextColumn("Error class"),
            "latency": st.column_config.NumberColumn("ms", format="%.0f", width=52, help="Latency"),
            "wait": st.column_config.NumberColumn("Waited ms", format="%.0f", width=78, help="Before it (R26)"),
        },
        placeholder="–",
        alt="The attempts of this call's chain",
        key=f"call-attempts-{chain.chain}",
    )
    for number, delay in enumerate(delays, start=2):
        if delay.is_off_policy and delay.wait_ms is not None and delay.window_ms is not None:
            shortest, longest = delay.window_ms
            render.note(
                f"Off policy: {milliseconds(delay.wait_ms)} before attempt {number:,}; "
                f"the policy waits {decimal(shortest)} to {milliseconds(longest)} (R26)."
            )
