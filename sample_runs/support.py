"""Customer support: the desk of a kitchenware shop, from a clean refund to answers that the log does not bear out."""

from __future__ import annotations

from dataclasses import replace

from sample_runs.story import JSON, LEFT_OUT, Story, ask, failed, ok, tool

GET_ORDER = tool(
    "get_order", "Look up one order by its number.", "order_id", "order_id status item amount:number currency"
)
SEARCH_POLICY = tool("search_policy", "Find the paragraph of the shop's policy on a subject.", "query", "title text")
ISSUE_REFUND = tool(
    "issue_refund",
    "Refund an order, in whole or in part.",
    "order_id amount:number reason?",
    "refund_id amount:number status",
    requires_human_approval=False,
)
GET_INVOICE = tool("get_invoice", "Fetch the invoice of an order.", "order_id", "invoice_id amount:number paid:boolean")
GET_MAIL = tool("get_mail", "Find a mail to the customer by its subject.", "order_id subject", "sent_at text")
TOOLS = [GET_ORDER, SEARCH_POLICY, ISSUE_REFUND]

PROMPT = (
    "You answer for Northgate Kitchen. Look facts up before you state them, refund only what the policy allows, and "
    "tell the customer plainly what you did."
)
SKILLET = {
    "order_id": "NK-20418",
    "status": "delivered",
    "item": "Cast-iron skillet, 28 cm",
    "amount": 79.5,
    "currency": "EUR",
}
COMPLAINT = "The skillet from order NK-20418 arrived with a crack in the handle. Can I have my money back?"
POLICY = {
    "title": "Damaged on arrival",
    "text": "Damaged goods are refunded in full within 30 days. The money is back on the card in 5 working days.",
}
REFUND = {"order_id": "NK-20418", "amount": 79.5, "reason": "damaged on arrival"}
REFUNDED = {"refund_id": "RF-7731", "amount": 79.5, "status": "issued"}


def _story(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    common = {"agent_id": "support-desk", "metadata": {"model": "heron-2-large", "system_prompt_id": "support-v7"}}
    return Story(run_id, shows, started=started, **common | facts)


def _complaint(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    """Return the task that several runs have in common: a cracked skillet."""
    story = _story(
        run_id,
        shows,
        started,
        task_id="refund-damaged-item",
        task_input={"user_instruction": COMPLAINT},
        tools_schema=TOOLS,
        **facts,
    )
    story.system(PROMPT)
    story.user(COMPLAINT)
    return story


def refund_clean() -> Story:
    story = _complaint(
        "support-refund-clean",
        "Everything right: each claim has its receipt, and every figure in the answer stands in one.",
        "2026-04-01T09:00:12",
        judge_passed=True,
    )
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET), thinking="First see what was ordered and when.")
    story.call("search_policy", {"query": "damaged on arrival"}, ok(POLICY))
    story.call("issue_refund", REFUND, ok(REFUNDED))
    return story.answers(
        "I have refunded €79.50 for the cracked skillet in order NK-20418. Your reference is RF-7731, and the money "
        "is back on your card in 5 working days."
    )


def refund_typo_actor() -> Story:
    story = _complaint(
        "support-refund-typo-actor",
        "A mistyped sub-agent label (`refund_agnt`) surfaces as undeclared, with its suggestion; one declared agent "
        "stays silent; parallel calls collide on the per-run lock and recover; hand-offs are observed.",
        "2026-04-01T09:14:40",
        judge_passed=True,
        sub_agents=[
            {"actor_id": "supervisor", "tools": ["search_policy"], "talks_to": ["refund_agent", "billing_agent"]},
            {"actor_id": "refund_agent", "tools": ["get_order", "issue_refund"]},
            {"actor_id": "billing_agent", "tools": ["get_invoice"]},
            "escalation_agent",
        ],
        topology={"entry": "supervisor"},
    )
    story.facts["tools_schema"] = [*TOOLS, GET_INVOICE]
    busy = failed(503, "lock_contention", "Another call of this run holds the lock.")
    story.call("search_policy", {"query": "damaged on arrival"}, ok(POLICY), actor="supervisor")
    story.hands_off("supervisor", "refund_agent", "refund within policy")
    story.hands_off("supervisor", "billing_agent", "check that the order was paid")
    paid = {"invoice_id": "INV-88120", "amount": 79.5, "paid": True}
    story.turn(
        ask("get_invoice", {"order_id": "NK-20418"}, ok(paid), actor="supervisor/billing_agent"),
        ask("get_order", {"order_id": "NK-20418"}, busy, busy, ok(SKILLET), actor="supervisor/refund_agnt"),
    )
    story.call("issue_refund", REFUND, busy, ok(REFUNDED), actor="supervisor/refund_agnt")
    story.hands_off("refund_agent", "supervisor", "done")
    return story.answers("Invoice INV-88120 was paid, so I refunded €79.50. The reference is RF-7731.")


def claimed_refund() -> Story:
    story = _complaint(
        "support-claimed-refund",
        "The transcript claims a refund that the proxy never saw: a call without a receipt. The judge passed it.",
        "2026-04-01T10:02:05",
        judge_passed=True,
    )
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET))
    story.claims("issue_refund", REFUND, {"refund_id": "RF-0001", "amount": 79.5, "status": "issued"})
    return story.answers("Your refund of €79.50 is on its way. The reference is RF-0001.")


def hidden_failure() -> Story:
    story = _complaint(
        "support-hidden-failure",
        "The refund failed with a 500, but the tool body swallowed it and told the model that all was well.",
        "2026-04-01T10:31:47",
        judge_passed=True,
    )
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET))
    story.call(
        "issue_refund",
        REFUND,
        failed(500, None, "Unhandled exception while dispatching the call."),
        told={"status": "queued", "note": "will be retried overnight"},
    )
    return story.answers("The refund of €79.50 for order NK-20418 is queued and goes out overnight.")


def result_differs() -> Story:
    story = _complaint(
        "support-result-differs",
        "The model was given another amount than the receipt says: a wrapper rounded it on the way.",
        "2026-04-01T11:20:30",
        judge_passed=False,
    )
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET), told=SKILLET | {"amount": 80})
    story.call("issue_refund", REFUND | {"amount": 80}, ok(REFUNDED | {"amount": 80}))
    return story.answers("I have refunded €80 for order NK-20418. The reference is RF-7731.")


def receipt_untold() -> Story:
    story = _complaint(
        "support-receipt-untold",
        "The log holds a refund that the transcript never mentions: a receipt without a call.",
        "2026-04-01T11:48:02",
        judge_passed=False,
    )
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET))
    story.behind(ask("issue_refund", REFUND, ok(REFUNDED)))
    return story.answers("Order NK-20418 was delivered. I will ask a colleague about a refund.")


def behind_the_scenes() -> Story:
    story = _complaint(
        "support-behind-the-scenes",
        "A sub-agent whose calls are in the log only: it works outside the transcript, which is one note and not a "
        "fault for each of its calls.",
        "2026-04-01T11:59:10",
        judge_passed=True,
        declared_actor_ids=["supervisor", "fraud_agent"],
    )
    story.facts.pop("tools_schema")
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET), actor="supervisor")
    story.hands_off("supervisor", "fraud_agent", "a second refund within a year")
    fraud = "supervisor/fraud_agent"
    story.behind(ask("list_refunds", {"customer": "C-118"}, ok({"refunds": 1, "amount": 12.0}), actor=fraud))
    story.behind(ask("score_customer", {"customer": "C-118"}, ok({"score": 0.04}), actor=fraud))
    story.hands_off("fraud_agent", "supervisor")
    story.call("issue_refund", REFUND, ok(REFUNDED), actor="supervisor")
    return story.answers("I have refunded €79.50 for order NK-20418. The reference is RF-7731.")


def stale_token() -> Story:
    story = _story(
        "support-stale-token",
        "The run had closed: every call after it is refused with a stale token, under its three classes.",
        "2026-04-01T12:05:55",
        task_id="track-parcel",
        judge_passed=False,
        tools_schema=[GET_ORDER],
    )
    story.user("Where is my parcel? Order NK-20733.")
    in_transit = {"order_id": "NK-20733", "status": "in transit", "item": "Whisk", "amount": 12.0, "currency": "EUR"}
    story.call("get_order", {"order_id": "NK-20733"}, ok(in_transit))
    story.user("And the other one, NK-20734?")
    story.wait(900)
    expired = failed(401, "run_token_expired", "The run token has expired.")
    story.call("get_order", {"order_id": "NK-20734"}, expired)
    story.call("get_order", {"order_id": "NK-20734"}, failed(401, "run_token_rejected", "This run is closed."))
    story.call("get_order", {"order_id": "20734"}, failed(401, "run_token_invalid", "The token cannot be verified."))
    return story.answers("Order NK-20733 is in transit. I could not look up the second order.")


def expired_sub_agent() -> Story:
    """The query that the README shows finds this run, whole."""
    story = _story(
        "support-expired-sub-agent",
        "A mistyped sub-agent (`refund_agnt`) held on to its token for too long: its call is refused with "
        "`run_token_expired`, under a label that nobody declared.",
        "2026-04-01T12:22:31",
        task_id="missing-refund",
        judge_passed=False,
        tools_schema=[GET_ORDER, GET_MAIL],
        sub_agents=[
            {"actor_id": "supervisor", "tools": ["get_order"], "talks_to": ["refund_agent"]},
            {"actor_id": "refund_agent", "tools": ["get_mail"]},
        ],
        topology={"entry": "supervisor"},
    )
    story.user("Your mail about order NK-20418 says that my money is on its way, but nothing has arrived.")
    story.call("get_order", {"order_id": "NK-20418"}, ok(SKILLET), actor="supervisor")
    story.hands_off("supervisor", "refund_agent", "find the mail about the refund")
    story.wait(900)
    expired = failed(401, "run_token_expired", "The run token has expired.")
    slow = replace(expired, took_ms=(600, 900))
    mail = {"order_id": "NK-20418", "subject": "Refund issued"}
    story.call("get_mail", mail, slow, actor="supervisor/refund_agnt")
    story.hands_off("refund_agent", "supervisor", "no access")
    return story.answers("Order NK-20418 was delivered. I could not look up the mail, so a colleague will call you.")


def missing_token() -> Story:
    story = _story(
        "support-missing-token",
        "A child process was started without the run's environment: its calls carry no token at all.",
        "2026-04-01T12:40:18",
        task_id="track-parcel",
        judge_passed=False,
    )
    story.user("Is the Dutch oven back in stock?")
    missing = failed(401, "run_token_missing", "No bearer token was sent.")
    story.call("check_stock", {"sku": "DO-26-BLUE"}, missing)
    story.call("check_stock", {"sku": "DO-26"}, missing)
    return story.answers("I cannot see the stock at the moment. Please try again later.")


def thin_answer() -> Story:
    story = _story(
        "support-thin-answer",
        "A thin run: an answer and a log, no transcript. One JSON document in a file of its own.",
        "2026-04-01T13:11:00",
        task_id="track-parcel",
        judge_passed=True,
    )
    shipped = {"order_id": "NK-20790", "status": "shipped", "item": "Salt mill", "amount": 34.0, "currency": "EUR"}
    story.behind(ask("get_order", {"order_id": "NK-20790"}, ok(shipped)))
    return story.answers("Order NK-20790, a salt mill for €34, has been shipped.")


def empty_answer() -> Story:
    story = _story(
        "support-empty-answer",
        "The handler returned an empty answer. The run failed, and is still here to be seen.",
        "2026-04-01T13:42:26",
        task_id="change-address",
    )
    story.user("Please send NK-20812 to 14 Harbour Lane instead.")
    moved = {"order_id": "NK-20812", "address": "14 Harbour Lane", "status": "updated"}
    story.call("update_address", {"order_id": "NK-20812", "address": "14 Harbour Lane"}, ok(moved))
    return story.answers("", status="failed")


def arabic_return() -> Story:
    story = _story(
        "support-arabic-return",
        "Right-to-left text and emoji in messages, arguments, payloads and the answer.",
        "2026-04-01T14:08:51",
        task_id="return-window",
        judge_passed=True,
    )
    story.user("مرحبًا 👋 أريد إرجاع إبريق الشاي من الطلب NK-20877. هل ما زال ذلك ممكنًا؟")
    story.call(
        "get_order",
        {"order_id": "NK-20877", "لغة": "ar"},
        ok({"order_id": "NK-20877", "status": "تم التسليم", "item": "إبريق شاي 🫖", "return_until": "2026-04-20"}),
    )
    return story.answers("نعم، يمكنك إرجاع إبريق الشاي 🫖 من الطلب NK-20877 حتى 2026-04-20.")


def hostile_markup() -> Story:
    story = _story(
        "support-hostile-markup",
        "HTML, Markdown, a script link, a remote image, terminal codes, a spreadsheet formula and an image as data: "
        "all of it has to stay inert.",
        "2026-04-01T14:37:09",
        task_id="product-question",
        judge_passed=True,
    )
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    story.user(
        [
            {"type": "text", "text": "<script>alert('hello')</script> Is this the right lid? :red[urgent] $x^2$"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{pixel}"}},
        ]
    )
    review = (
        "<img src=x onerror=alert(1)> ![pixel](https://tracker.example/p.gif) [read more](javascript:alert(1))\n"
        "\u001b[31mred\u001b[0m \u001b]8;;https://tracker.example\u0007link\u001b]8;;\u0007 \u202eesrever\u202c"
    )
    nested = '{"note": "{\\"depth\\": \\"{\\\\\\"deeper\\\\\\": 1}\\"}"}'
    story.call(
        "read_reviews",
        {"sku": '=HYPERLINK("https://tracker.example","lid")'},
        ok({"reviews": [review, "</td></tr></table><h1>Out of the box</h1>", "@SUM(A1:A9)"], "raw": nested}),
    )
    return story.answers("**Yes**, it fits. <b>Do not</b> open the link in the review: ![x](https://tracker.example/q)")


def odd_labels() -> Story:
    story = _story(
        "support-odd-labels",
        "Malformed actor labels (a space, an empty segment, nine segments), a blank one, and calls that nobody signed.",
        "2026-04-01T15:03:33",
        task_id="warranty-claim",
        judge_passed=True,
        declared_actor_ids=["intake", "warranty_agent"],
    )
    refused = failed(400, None, "The actor label is malformed.")
    claim = {"claim_id": "WC-310"}
    deep = "intake/" + "/".join("abcdefgh")
    story.behind(ask("open_claim", {"serial": "SM-5521"}, ok(claim), actor="intake"))
    story.behind(ask("get_warranty", {"serial": "SM-5521"}, refused, actor="warranty agent"))
    story.behind(ask("get_warranty", {"serial": "SM-5521"}, ok({"months_left": 14}), actor="intake/warranty_agent"))
    story.behind(ask("add_note", claim | {"text": "photo received"}, ok({"saved": True}), actor="intake//warranty"))
    story.behind(ask("add_note", claim | {"text": "sent to repair"}, refused, actor=deep))
    story.behind(ask("add_note", claim | {"text": "sent to repair"}, ok({"saved": True}), actor="   "))
    story.behind(ask("close_claim", claim, ok(claim | {"status": "in repair"})))
    return story.answers("Claim WC-310 is open. The mill has 14 months of warranty left and is in repair.")


def log_of_an_older_agent() -> Story:
    """Aliases of the log, a legacy payload without source, times of several kinds."""
    story = _story(
        "support-legacy-log",
        "A log of an older agent: other key names, no `source`, plain-text details, the actor in a header, times "
        "without an offset and in epoch milliseconds.",
        "2026-03-30T08:20:00",
        task_id="track-parcel",
        judge_passed=True,
    )
    calls = [
        {
            "tool": "get_order",
            "args": '{"order_id": "NK-19902"}',
            "response": {"status": "lost", "carrier": "Tern Post"},
            "http_status": 200,
            "latency_ms": 431,
            "headers": {"X-Pipelines-Actor-ID": "parcel_agent"},
            "timestamp": "2026-03-30T08:20:02",
        },
        {
            "name": "file_search_request",
            "input": {"order_id": "NK-19902"},
            "http_status": 422,
            "detail": "carrier_ref is required",
            "latency_ms": 18,
            "headers": {"x-pipelines-actor-id": "parcel_agent"},
            "occurred_at": 1774858804000,
        },
        {
            "name": "file_search_request",
            "input": {"order_id": "NK-19902", "carrier_ref": "TP-44"},
            "response": {"request_id": "SR-77"},
            "http_status": 200,
            "latency_ms": 250,
            "actor": "parcel_agent",
            "occurred_at": 1774858806000,
        },
    ]
    return story.answers(
        "Tern Post has lost order NK-19902. I opened search request SR-77 with them.",
        run_token_jti=LEFT_OUT,
        calls=calls,
    )


RUNS = (
    refund_clean,
    refund_typo_actor,
    claimed_refund,
    hidden_failure,
    result_differs,
    receipt_untold,
    behind_the_scenes,
    stale_token,
    expired_sub_agent,
    missing_token,
    thin_answer,
    empty_answer,
    arabic_return,
    hostile_markup,
    odd_labels,
    log_of_an_older_agent,
)
