"""Travel: a booking desk with live partners, so time-outs, rate limits, retries and deep delegation."""

from __future__ import annotations

from sample_runs.story import JSON, Answer, Story, ask, failed, injected, live, no_answer, ok, tool

SEARCH_TRAINS = tool(
    "search_trains", "Trains between two cities on a day.", "origin destination date", "trains:array", "simulated"
)
BOOK_SEAT = tool(
    "book_seat", "Book one seat.", "train_id date travel_class?", "booking_id seat price:number", "simulated"
)
PARTNER_BINDING = {"url": "https://api.rail-partner.example/v2", "method": "POST"}
CHANGE_TICKET = tool(
    "change_ticket",
    "Move a ticket to another train, at the partner.",
    "booking_id train_id",
    "booking_id train_id",
    "live",
    passthrough_binding=PARTNER_BINDING,
    requires_human_approval=True,
)
GET_TICKET = tool(
    "get_ticket", "Read a ticket at the partner.", "booking_id", "booking_id train_id", "live",
    passthrough_binding=PARTNER_BINDING,
)  # fmt: skip

ROUTE = {"origin": "Lyon", "destination": "Turin", "date": "2026-05-14"}
TRAINS = {"trains": [{"train_id": "FR-9287", "departs": "08:46"}, {"train_id": "FR-9291", "departs": "17:12"}]}


def _story(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    common = {"agent_id": "travel-planner", "metadata": {"model": "heron-2-large", "system_prompt_id": "travel-v3"}}
    return Story(run_id, shows, started=started, **common | facts)


def _busy() -> Answer:
    return failed(503, "lock_contention", "Another call of this run holds the lock.")


def _limited() -> Answer:
    return failed(429, None, "Too many calls; slow down.")


def exhausted() -> Story:
    story = _story(
        "travel-lock-exhausted",
        "Four attempts, all refused because a slow sibling held the per-run lock: exhausted. The sibling is fine.",
        "2026-04-02T07:30:10",
        task_id="book-lyon-turin",
        judge_passed=False,
        tools_schema=[SEARCH_TRAINS, BOOK_SEAT],
    )
    story.user("Book me the early train from Lyon to Turin on 2026-05-14.")
    slow = Answer(ok(TRAINS).fields, (6200, 6600))
    story.turn(
        ask("search_trains", ROUTE, slow),
        ask("book_seat", {"train_id": "FR-9287", "date": "2026-05-14"}, _busy(), _busy(), _busy(), _busy()),
    )
    return story.answers("Train FR-9287 leaves at 08:46 on 2026-05-14, but I could not book a seat.")


def rate_limited() -> Story:
    story = _story(
        "travel-rate-limited",
        "Rate limited, and recovered: once within the retry policy, once after waits that are off it.",
        "2026-04-02T07:58:44",
        task_id="book-lyon-turin",
        judge_passed=True,
        tools_schema=[SEARCH_TRAINS, BOOK_SEAT],
    )
    story.user("Book me the early train from Lyon to Turin on 2026-05-14.")
    seat = {"booking_id": "BK-61077", "seat": "4 / 31", "price": 64.0}
    story.call("search_trains", ROUTE, _limited(), ok(TRAINS))
    story.call(
        "book_seat",
        {"train_id": "FR-9287", "date": "2026-05-14"},
        _limited(),
        _limited(),
        ok(seat),
        waits_s=(5.0, 0.1),
        numbered=True,
    )
    return story.answers("Booked: train FR-9287 at 08:46, seat 4 / 31, for €64. Your booking is BK-61077.")


def retried_after_terminal() -> Story:
    story = _story(
        "travel-agent-retry",
        "A 500 is terminal for the SDK; the model asked again by itself, and that worked: an agent retry.",
        "2026-04-02T08:21:15",
        task_id="book-lyon-turin",
        judge_passed=True,
        tools_schema=[SEARCH_TRAINS, BOOK_SEAT],
    )
    story.user("Book me the early train from Lyon to Turin on 2026-05-14.")
    seat = {"booking_id": "BK-61102", "seat": "6 / 12", "price": 64.0}
    wish = {"train_id": "FR-9287", "date": "2026-05-14"}
    story.call("search_trains", ROUTE, ok(TRAINS))
    story.call("book_seat", wish, failed(500, None, "Unhandled exception while dispatching the call."))
    story.call("book_seat", wish, ok(seat), thinking="The booking failed on their side. The same call again is safe.")
    return story.answers("You are on train FR-9287 at 08:46, seat 6 / 12. The booking is BK-61102.")


def unknown_outcome() -> Story:
    story = _story(
        "travel-unknown-outcome",
        "A live hop met the SDK's time-out of 120 s: nobody knows whether the ticket was changed. The model changed "
        "it again, which may have doubled the effect. A second hop could not connect at all.",
        "2026-04-02T09:05:02",
        task_id="change-ticket",
        judge_passed=True,
        tools_schema=[CHANGE_TICKET, GET_TICKET],
    )
    story.user("Please move my ticket BK-61077 to the evening train, FR-9291.")
    move = {"booking_id": "BK-61077", "train_id": "FR-9291"}
    late = no_answer(120_003.0, error={"message": "read timed out"}, timed_out=True)
    refused = no_answer(41.0, error={"message": "connection refused"})
    story.call("change_ticket", move, late, told={"error": "no answer from the partner"})
    story.call("change_ticket", move, live({"booking_id": "BK-61077", "train_id": "FR-9291"}))
    story.call("get_ticket", {"booking_id": "BK-61077"}, refused)
    return story.answers("Ticket BK-61077 is now for train FR-9291.")


def live_clean() -> Story:
    story = _story(
        "travel-live-partner",
        "Live calls that went well: `passthrough` receipts of a tool that needs approval.",
        "2026-04-02T09:40:37",
        task_id="change-ticket",
        judge_passed=True,
        tools_schema=[CHANGE_TICKET, GET_TICKET],
    )
    story.user("Please move my ticket BK-61102 to the evening train, FR-9291. I agree to the change.")
    story.call("get_ticket", {"booking_id": "BK-61102"}, live({"booking_id": "BK-61102", "train_id": "FR-9287"}))
    move = {"booking_id": "BK-61102", "train_id": "FR-9291"}
    story.call("change_ticket", move, live(move))
    story.notes("guardrail_decision", {"rule": "approval before a change", "allowed": True}, step="change_ticket")
    return story.answers("Done: ticket BK-61102 now is for train FR-9291.")


def injected_rules() -> Story:
    story = _story(
        "travel-injected-failures",
        "Failure rules fired on purpose, rule 0 among them; the model worked around the first with other arguments.",
        "2026-04-02T10:12:20",
        task_id="book-lyon-turin",
        judge_passed=True,
        tools_schema=[SEARCH_TRAINS, BOOK_SEAT],
    )
    story.user("Book me a train from Lyon to Turin on 2026-05-14, the early one if you can.")
    day = "2026-05-14"
    seat = {"booking_id": "BK-61140", "seat": "2 / 08", "price": 58.5}
    story.call("search_trains", ROUTE, ok(TRAINS))
    sold_out = injected(0, {"error": "sold_out", "message": "No seats left on this train."})
    story.call("book_seat", {"train_id": "FR-9287", "date": day}, sold_out)
    flaky = injected(3, {"error": "upstream_busy", "message": "The reservation system is busy."})
    story.call("book_seat", {"train_id": "FR-9291", "date": day, "travel_class": "first"}, flaky)
    story.call("book_seat", {"train_id": "FR-9291", "date": day}, ok(seat))
    return story.answers("The early train is full. You have seat 2 / 08 on FR-9291 at 17:12 for €58.50, BK-61140.")


def japanese() -> Story:
    story = _story(
        "travel-japanese-itinerary",
        "Chinese, Japanese and Korean text throughout: search inside it, cut it, count it by code points.",
        "2026-04-02T11:00:05",
        task_id="plan-kyoto",
        judge_passed=True,
    )
    story.user("五月十四日に東京から京都へ行きたいです。窓側の席をお願いします。")
    trains = {
        "列車": [{"番号": "のぞみ213号", "発車": "09:21", "座席": "窓側あり"}],
        "备注": "请提前十分钟到站",
        "메모": "창가",
    }
    story.call("search_trains", {"出発": "東京", "到着": "京都", "date": "2026-05-14"}, ok(trains))
    return story.answers("のぞみ213号(09:21 発)に窓側の席があります。十分前までに駅へお越しください。")


def deep_delegation() -> Story:
    story = _story(
        "travel-deep-delegation",
        "Call paths down to eight segments, nodes that only delegate, every kind of trace event and telemetry, and a "
        "hand-off that no topology declares.",
        "2026-04-02T12:15:00",
        task_id="conference-trip",
        judge_passed=True,
        sub_agents=[
            {"actor_id": "planner", "talks_to": ["transport", "lodging"]},
            {"actor_id": "transport", "tools": ["search_trains", "book_seat"], "talks_to": ["rail"]},
            {"actor_id": "rail", "tools": ["search_trains", "book_seat"]},
            {"actor_id": "lodging", "tools": ["search_hotels"]},
            {"actor_id": "seat_picker", "tools": ["seat_map"]},
        ],
        topology={"entry": "planner"},
    )
    story.event("system_prompt", {"system_prompt_id": "travel-v3"})
    story.user("Plan my trip to the conference in Turin on 2026-05-14: train and hotel.")
    story.event("thinking", {"text": "Two parts, train and hotel; they can run side by side."})
    story.hands_off("planner", "transport", "find a train")
    story.hands_off("planner", "lodging", "find a hotel")
    story.notes("handoff_traversal", {"from": "planner", "to": "transport"}, actor="planner")
    hotels = {"hotels": [{"name": "Albergo Fiume", "price": 118}]}
    story.behind(
        ask("search_trains", ROUTE, ok(TRAINS), actor="planner/transport/rail"),
        ask("search_hotels", {"city": "Turin", "date": "2026-05-14"}, ok(hotels), actor="planner/lodging"),
    )
    story.event("subagent_message", {"from_sub_agent": "lodging", "text": "Albergo Fiume is the only one with a desk."})
    deep = "planner/transport/rail/eu/it/piedmont/turin/seat_picker"
    seat_map = {"free": ["1 / 11", "1 / 12"]}
    story.behind(ask("seat_map", {"train_id": "FR-9287"}, _busy(), ok(seat_map), actor=deep))
    story.hands_off("rail", "lodging", "arrival is at 11:40")
    seat = {"booking_id": "BK-61188", "seat": "1 / 11", "price": 64.0}
    wish = {"train_id": "FR-9287", "date": "2026-05-14"}
    story.behind(ask("book_seat", wish, ok(seat), actor="planner/transport/rail"))
    story.notes("state_snapshot", {"booked": ["BK-61188"], "open": ["hotel"]}, actor="planner/transport")
    story.event("subagent_final", {"from_sub_agent": "rail", "text": "Booked BK-61188."})
    story.notes("guardrail_decision", {"rule": "spend below 250", "allowed": True})
    story.notes("note", "hotel is left to the traveller", actor="planner")
    story.event("custom", {"budget_left": 186})
    story.event("llm_payload", {"model": "heron-2-large", "temperature": 0})
    story.event("assistant_message", {"text": "Booked the train."})
    return story.answers("Train FR-9287 at 08:46, seat 1 / 11 (BK-61188). For the night, Albergo Fiume at €118.")


def out_of_time() -> Story:
    story = _story(
        "travel-out-of-time",
        "The run itself timed out: no answer, the class is of the run layer, the calls before it are confirmed.",
        "2026-04-02T13:30:48",
        task_id="conference-trip",
        status="timed_out",
        error={"error_class": "agent_timeout", "message": "The agent did not return within 300 s."},
    )
    story.user("Plan my trip to the conference in Turin on 2026-05-14: train and hotel.")
    story.call("search_trains", ROUTE, ok(TRAINS))
    story.call("search_hotels", {"city": "Turin"}, ok({"hotels": []}))
    story.wait(296)
    return story.answers(None)


RUNS = (
    exhausted,
    rate_limited,
    retried_after_terminal,
    unknown_outcome,
    live_clean,
    injected_rules,
    japanese,
    deep_delegation,
    out_of_time,
)
