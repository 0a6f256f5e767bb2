"""A nightly check: repeats of one task, and the agent's own failures, each with a class of the run layer (R22)."""

from __future__ import annotations

from sample_runs.story import JSON, LEFT_OUT, Story, ok

CHECK_ID = "nightly-2026-04-03"
GIFT_CARD = {"card_id": "GC-3310", "balance": 25.0}

SCENARIOS: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "The provider is away",
        "provider-away",
        (
            ("agent_unreachable", "The agent's endpoint refused the connection.", "failed"),
            ("agent_5xx", "The agent's endpoint answered 502.", "failed"),
            ("transport_error", "The connection broke while the answer was read.", "error"),
            ("agent_timeout", "The agent did not return within 300 s.", "timeout"),
        ),
    ),
    (
        "The setup is wrong",
        "wrong-setup",
        (
            ("auth_failed", "The agent's endpoint refused the credentials.", "failed"),
            ("agent_4xx", "The agent's endpoint answered 410.", "failed"),
            ("proxy_misconfigured", "The proxy has no route to this run.", "error"),
        ),
    ),
    (
        "The answer breaks the contract",
        "broken-answer",
        (
            ("agent_bad_response", "The answer is not JSON.", "failed"),
            ("contract_error", "The answer is an array.", "failed"),
            ("response_contract_violation", "final_response is missing.", "failed"),
            ("internal_error", "The harness failed while it stored the run.", "error"),
        ),
    ),
)
"""Name, task, and the runs of each scenario: the run-layer class, the message, the status."""


def _repeat(number: int, balance: float | None) -> Story:
    story = Story(
        f"nightly-gift-card-{number}",
        "One of four repeats of a task, for the pass rate and for comparing a failure with a pass."
        if balance is not None
        else "The repeat that failed: it never asked for the balance.",
        started=f"2026-04-03T01:0{number}:10",
        agent_id="support-desk",
        judge_passed=balance == GIFT_CARD["balance"],
    )
    story.user("How much is left on gift card GC-3310?")
    if balance is None:
        return story.answers("There are €52 left on it.")
    story.call("get_gift_card", {"card_id": "GC-3310"}, ok(GIFT_CARD))
    return story.answers(f"There are €{balance:.0f} left on gift card GC-3310.")


def _broken(error_class: str, message: str, status: str, minute: int) -> Story:
    story = Story(
        f"nightly-{error_class.replace('_', '-')}",
        f"Failed at the run layer with `{error_class}`: {message}",
        started=f"2026-04-03T02:{minute:02}:00",
        agent_id="support-desk",
        status=status,
    )
    failure = {"error_class": error_class, "message": message}
    # The class stands in one of three places, in turn.
    placed = ({"error": failure}, {"error_json": failure}, {"error_class": error_class, "error": message})[minute % 3]
    return story.answers(None, metadata=LEFT_OUT, **placed)


def scenarios() -> list[tuple[JSON, list[Story]]]:
    """Return each scenario's own facts, and its runs."""
    repeats = [_repeat(1, 25.0), _repeat(2, 25.0), _repeat(3, None), _repeat(4, 25.0)]
    told = {"task_id": "gift-card-balance", "name": "Gift card balance", "status": "completed", "judge_passed": False}
    parts = [(told, repeats)]
    minute = 0
    for name, task_id, failures in SCENARIOS:
        runs = []
        for failure in failures:
            minute += 1
            runs.append(_broken(*failure, minute))
        parts.append(({"task_id": task_id, "name": name, "status": "failed", "judge_passed": False}, runs))
    return parts


def rollup(parts: list[tuple[JSON, list[Story]]]) -> JSON:
    """Return the check rollup as it is exported: outer facts once, runs inside (R41)."""
    runs = [story for _, stories in parts for story in stories]
    passed = sum(story.body.get("judge_passed") is True for story in runs)
    return {
        "check_id": CHECK_ID,
        "totals": {"scenarios": len(parts), "runs": len(runs), "passed": passed, "failed": len(runs) - passed},
        "scenarios": [outer | {"runs": [story.body for story in stories]} for outer, stories in parts],
    }
