"""Billing: invoices and cards, refusals and failure envelopes, broken schemas and logs that contradict themselves."""

from __future__ import annotations

from sample_runs.story import JSON, LEFT_OUT, Answer, Story, ask, failed, live, ok, tool

GET_INVOICE = tool("get_invoice", "Read one invoice.", "invoice_id", "invoice_id amount:number state")
CHARGE_CARD = tool("charge_card", "Charge the card on file.", "invoice_id amount:number", "charge_id")
TOOLS = [GET_INVOICE, CHARGE_CARD]
INVOICE = {"invoice_id": "INV-5093", "amount": 1079.5, "state": "open"}
ENVELOPE_VERSION = "openmed.agent.error.v1"


def _story(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    common = {"agent_id": "billing-desk", "metadata": {"model": "heron-2-mini", "system_prompt_id": "billing-v5"}}
    return Story(run_id, shows, started=started, **common | facts)


def _envelope(error_class: str, code: str, stage: str, retryable: bool, **more: JSON) -> dict[str, JSON]:
    fields = {"schema_version": ENVELOPE_VERSION, "error_class": error_class, "error_code": code, "stage": stage}
    return fields | {"retryable": retryable, "run_id": None, "action_id": None} | more


def _enveloped(envelope: JSON, *, inside: bool = False) -> Answer:
    """Return a 200 of the simulator whose payload is an envelope, or holds one as its `error`."""
    return ok({"error": envelope} if inside else envelope, validation=None)


def gave_up() -> Story:
    story = _story(
        "billing-gave-up",
        "The caller had turned retries off: one attempt met the lock and one a rate limit, and neither was retried.",
        "2026-04-03T14:02:20",
        task_id="charge-invoice",
        judge_passed=False,
        tools_schema=TOOLS,
    )
    story.user("Charge invoice INV-5093 to the card on file.")
    story.call("get_invoice", {"invoice_id": "INV-5093"}, ok(INVOICE))
    charge = {"invoice_id": "INV-5093", "amount": 1079.5}
    story.call("charge_card", charge, failed(503, "lock_contention", "Another call of this run holds the lock."))
    story.call("get_invoice", {"invoice_id": "INV-5094"}, failed(429, None, "Too many calls; slow down."))
    return story.answers("Invoice INV-5093 over €1,079.50 is still open: the charge did not go through.")


def declined() -> Story:
    story = _story(
        "billing-card-declined",
        "An application error: the proxy answered 200, the payload says that the card was declined.",
        "2026-04-03T14:20:41",
        task_id="charge-invoice",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("Charge invoice INV-5093 to the card on file.")
    story.call("get_invoice", {"invoice_id": "INV-5093"}, ok(INVOICE))
    charge = {"invoice_id": "INV-5093", "amount": 1079.5}
    story.call("charge_card", charge, ok({"error": "card_declined", "charge_id": None}, validation=None))
    return story.answers("The card was declined, so invoice INV-5093 over €1,079.50 is still open.")


def denied() -> Story:
    story = _story(
        "billing-permission-denied",
        "Another tenant's invoice: refused by the tool (`permission_denied`), by the proxy with a 403, and by an "
        "envelope of the authorization class.",
        "2026-04-03T14:44:15",
        task_id="read-invoice",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("Show me invoice INV-9001 of the bakery next door.")
    story.call("get_invoice", {"invoice_id": "INV-9001"}, ok({"error": "permission_denied"}, validation=None))
    story.call("charge_card", {"invoice_id": "INV-9001", "amount": 1}, failed(403, None, "Not your invoice."))
    missing = _envelope("authorization", "capability_missing", "authorization", False, action_id="call-2")
    story.call("get_invoice", {"invoice_id": "9001"}, _enveloped(missing))
    return story.answers("I cannot show you that invoice; it does not belong to your account.")


def envelopes() -> Story:
    story = _story(
        "billing-envelopes",
        "Failure envelopes: the run's own is valid, those of its calls break one rule each: stage, retryable, code, "
        "version, identifier, a field too many, a field missing.",
        "2026-04-03T15:10:33",
        task_id="charge-invoice",
        judge_passed=False,
        status="failed",
    )
    story.user("Charge all open invoices of April.")
    unavailable = ("provider", "provider_unavailable", "provider", True)
    faulty = [
        _envelope("authorization", "capability_expired", "provider", False),
        _envelope("timeout", "request_timeout", "provider", False),
        _envelope("timeout", "policy_denied", "provider", False),
        _envelope(*unavailable, schema_version="2"),
        _envelope(*unavailable, run_id="invoice of Jane Doe"),
        _envelope(*unavailable, message="the gateway said no"),
        {key: value for key, value in _envelope(*unavailable).items() if key != "action_id"},
        _envelope("weather", "rain", "outdoors", True),
    ]
    for number, envelope in enumerate(faulty):
        inside = number % 2 == 1
        story.call("charge_card", {"invoice_id": f"INV-51{number:02}"}, _enveloped(envelope, inside=inside))
    story.call("get_invoice", {"invoice_id": "INV-5100"}, ok(INVOICE | {"invoice_id": "INV-5100"}))
    error = _envelope("timeout", "deadline_exceeded", "post_processing", True, run_id=story.run_id)
    return story.answers("None of the invoices could be charged; INV-5100 is still open.", error=error)


def schema_faults() -> Story:
    story = _story(
        "billing-schema-faults",
        "What tools declare against what they did: arguments and responses outside their schemas, an undeclared "
        "tool, a live tool answered by the simulator, no output schema, and declarations that are themselves wrong.",
        "2026-04-03T15:48:09",
        task_id="monthly-statement",
        judge_passed=True,
        tools_schema=[
            *TOOLS,
            tool("list_invoices", "All invoices of a month.", "month", None),
            tool("send_statement", "Mail a statement.", "month", "sent:boolean", "live"),
            {"name": "total", "input_schema": {"type": "objekt"}},
            {"name": "2 totals", "input_schema": {}},
            {"name": "charge_card", "input_schema": "none", "default_execution_mode": "turbo"},
        ],
    )
    story.user("Send me the statement for April.")
    story.call("list_invoices", {"month": "2026-04"}, ok({"invoices": ["INV-5093", "INV-5094"]}, validation=None))
    story.call("get_invoice", {"invoice_id": 5093}, ok(INVOICE))
    story.call("get_invoice", {"invoice_id": "INV-5094"}, ok({"invoice_id": "INV-5094", "amount": "12.00"}))
    story.call("export_pdf", {"month": "2026-04"}, ok({"pages": 2}))
    story.call("send_statement", {"month": "2026-04"}, ok({"sent": True}))
    return story.answers("The statement for 2026-04 is sent: INV-5093 over €1,079.50 and INV-5094 over €12.")


def contradictions() -> Story:
    story = _story(
        "billing-log-contradictions",
        "A log that contradicts itself: an unknown source, rule indexes where no rule fired, a validation on a live "
        "answer, values that are not latencies, entries that are not calls.",
        "2026-04-03T16:15:52",
        task_id="monthly-statement",
        judge_passed=True,
    )
    good = {"invoice_id": "INV-5093"}
    story.behind(ask("get_invoice", good, ok(INVOICE, source="cache", validation=None)))
    story.behind(ask("list_invoices", {"month": "2026-04"}, ok({"invoices": []}, matched_rule_index=2)))
    story.behind(ask("list_taxes", {"month": "2026-04"}, live({"taxes": []}, validation={"output_schema": "passed"})))
    story.behind(ask("list_refunds", {"month": "2026-04"}, ok({"error": "down"}, source="injected", validation=None)))
    story.behind(ask("get_rate", {"currency": "NOK"}, ok({"rate": 11.2}), fields={"latency_ms": -40}))
    story.behind(ask("get_rate", {"currency": "SEK"}, ok({"rate": 10.9}), fields={"latency_ms": "35 ms"}))
    story.behind(ask("get_rate", '{"currency": "DK', ok({"rate": 7.46})))
    story.log += ["get_rate timed out", {"source": "odyssey", "response": {"rate": 1}}]
    return story.answers("Invoice INV-5093 is open; the krone stands at 11.2.")


def idle_tools() -> Story:
    story = _story(
        "billing-idle-tools",
        "Tools were declared and the log is there, but empty: the answer was given without looking.",
        "2026-04-03T16:33:00",
        task_id="read-invoice",
        judge_passed=False,
        tools_schema=TOOLS,
    )
    story.user("Is invoice INV-5093 paid?")
    return story.answers("It should be paid by now.", proxy_calls=[])


def leaked_token() -> Story:
    story = _story(
        "billing-leaked-token",
        "A bearer token in the transcript and in the run's environment, replaced before anything is stored. The ids "
        "come from the environment too.",
        "2026-04-03T16:50:47",
        judge_passed=True,
        env={
            "DYSTOPIC_RUN_ID": "billing-leaked-token",
            "DYSTOPIC_TASK_ID": "read-invoice",
            "DYSTOPIC_AGENT_ID": "billing-desk",
            "DYSTOPIC_RUN_TOKEN_JTI": "jti-5e1f0042aa",
            "DYSTOPIC_RUN_TOKEN": "sample-only-not-a-secret",
        },
    )
    story.user("Why does my script get a 401? I send: Authorization: Bearer sample-only-not-a-secret-0000")
    story.call("get_invoice", {"invoice_id": "INV-5093"}, ok(INVOICE))
    from_env = {"run_id": LEFT_OUT, "agent_id": LEFT_OUT, "run_token_jti": LEFT_OUT}
    return story.answers("Your token has a line break in it. Invoice INV-5093 itself can be read.", **from_env)


def warned_on_export() -> Story:
    story = _story(
        "billing-export-warnings",
        "Soft warnings that the export carried, beside one that the import found for itself.",
        "2026-04-03T17:08:30",
        task_id="read-invoice",
        judge_passed=True,
        soft_warnings=["messages[1]: role 'moderator' is not allowed; message dropped"],
    )
    story.user("What is open on INV-5093?")
    story.messages.append({"role": "moderator", "content": "(checked)"})
    story.call("get_invoice", {"invoice_id": "INV-5093"}, ok(INVOICE))
    story.answers("INV-5093 over €1,079.50 is open.")
    story.body["metadata"]["soft_warnings"] = ["metadata.region: unknown key kept as it is"]
    return story


RUNS = (
    gave_up,
    declined,
    denied,
    envelopes,
    schema_faults,
    contradictions,
    idle_tools,
    leaked_token,
    warned_on_export,
)
