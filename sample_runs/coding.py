"""Coding: an assistant in a repository, with executed tools, deployments, and transcripts that arrive damaged."""

from __future__ import annotations

from sample_runs.story import JSON, LEFT_OUT, Story, ask, failed, live, ok, tool

READ_FILE = tool("read_file", "Read one file of the repository.", "path", "path text", "executed")
RUN_TESTS = tool(
    "run_tests", "Run the tests that match a name.", "match", "exit_code:integer output", "code_intercepted"
)
SEARCH_ISSUES = tool("search_issues", "Search the tracker.", "query", "hits:array", "sandbox")
OPEN_PULL = tool(
    "open_pull_request",
    "Open a pull request on the live forge.",
    "title branch",
    "number:integer",
    "passthrough",
    passthrough_binding={"url": "https://forge.example/api/pulls", "method": "POST"},
    requires_human_approval=True,
)
LIST_BRANCHES = tool("list_branches", "List the branches; no mode given means simulated.", "", "branches:array")


def _story(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    common = {"agent_id": "code-assistant", "metadata": {"model": "heron-2-large", "system_prompt_id": "coding-v12"}}
    return Story(run_id, shows, started=started, **common | facts)


def _executed(story: Story, name: str, arguments: JSON, result: JSON, *, thinking: str | None = None) -> None:
    """Add a call of a tool whose own code ran in the sandbox: the transcript has it, the proxy's tool lane does not."""
    story.turn(ask(name, arguments, told=result), thinking=thinking)
    story.wait(story.random.uniform(0.5, 3))


def flaky_test() -> Story:
    story = _story(
        "coding-flaky-test",
        "Executed tools run in the sandbox and leave no receipt, only their data calls; terminal colours in the "
        "output; thinking. Declares a tool of every execution mode, under public and stored names.",
        "2026-04-02T15:02:11",
        task_id="fix-flaky-test",
        judge_passed=True,
        tools_schema=[READ_FILE, RUN_TESTS, SEARCH_ISSUES, OPEN_PULL, LIST_BRANCHES],
    )
    story.user("test_clock_skew fails about once a day. Find out why and fix it.")
    source = "def test_clock_skew():\n    start = time.time()\n    assert drift(start) < 0.01\n"
    _executed(story, "read_file", {"path": "tests/test_clock.py"}, {"path": "tests/test_clock.py", "text": source})
    story.behind(
        ask(
            "read_file",
            {"path": "tests/test_clock.py"},
            ok({"rows": 1}),
            fields={"lane": "data", "kind": "table", "intent": "read", "operation": "files.get"},
        )
    )
    red = "\u001b[31mFAILED\u001b[0m tests/test_clock.py::test_clock_skew - assert 0.0132 < 0.01"
    _executed(
        story,
        "run_tests",
        {"match": "clock"},
        {"exit_code": 1, "output": red},
        thinking="Wall-clock time in a test with a tight bound: a busy machine is enough to break it.",
    )
    green = "\u001b[32m3 passed\u001b[0m in 0.21s"
    _executed(story, "run_tests", {"match": "clock"}, {"exit_code": 0, "output": green})
    story.call("open_pull_request", {"title": "Use a fake clock", "branch": "fake-clock"}, live({"number": 318}))
    return story.answers("The test compared wall-clock times. It now uses a fake clock; see pull request 318.")


def broken_arguments() -> Story:
    story = _story(
        "coding-broken-arguments",
        "The model wrote arguments that are not valid JSON (kept as they are, never repaired), then arguments that the "
        "schema refuses, then corrected them. Calls in the nested form of chat completions.",
        "2026-04-02T15:40:59",
        task_id="triage-issue",
        judge_passed=True,
        tools_schema=[SEARCH_ISSUES, LIST_BRANCHES],
    )
    story.user("Is there an issue about slow imports yet?")
    cut = '{"query": "slow imp'
    refused = failed(400, None, "The arguments are not a JSON object.")
    wrong = failed(422, None, "query is required")
    story.call("search_issues", cut, refused)
    story.call("search_issues", {"q": "slow import"}, wrong)
    hit = {"hits": [{"number": 2207, "title": "Import of large files is slow"}]}
    story.call("search_issues", {"query": "slow import"}, ok(hit), written='{"query": "slow import"}')
    for message in story.messages:
        if message["role"] == "assistant":
            message["tool_calls"] = [_nested(call) for call in message["tool_calls"]]
    return story.answers("Yes: issue 2207, “Import of large files is slow”.")


def _nested(call: dict[str, JSON]) -> JSON:
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": call["name"], "arguments": call["arguments"]},
    }


def keyed_deploy() -> Story:
    story = _story(
        "coding-keyed-deploy",
        "An idempotency key and explicit attempts: a terminal 500 was retried all the same, and a second chain went "
        "over the budget of four attempts.",
        "2026-04-02T16:25:31",
        task_id="deploy-staging",
        judge_passed=False,
    )
    story.user("Deploy build 7714 to staging and clear the cache.")
    crash = failed(500, None, "Unhandled exception while dispatching the call.")
    story.call(
        "deploy",
        {"build": 7714, "target": "staging"},
        crash,
        ok({"deployment": "dp-0093", "state": "live"}),
        numbered=True,
        fields={"idempotency_key": "deploy-7714-staging"},
    )
    limited = failed(429, None, "Too many calls; slow down.")
    story.call("clear_cache", {"target": "staging"}, *[limited] * 5, numbered=True, waits_s=(0.5, 1.0, 2.0, 4.0))
    return story.answers("Build 7714 is live on staging as dp-0093. The cache could not be cleared.")


def trace_trouble() -> Story:
    story = _story(
        "coding-trace-trouble",
        "The data and telemetry lanes: a routing gap, refused trace events, and the races for a sequence number "
        "with and without recovery.",
        "2026-04-02T17:01:16",
        task_id="fix-flaky-test",
        judge_passed=True,
    )
    query = {"lane": "data", "kind": "table", "intent": "read", "operation": "builds.list"}
    gap = query | {"operation": "builds.purge"}
    telemetry = {"lane": "telemetry"}
    contended = failed(503, "trace_sequence_contended", "Lost the race for the next sequence number.")
    raced = failed(503, "telemetry_sequence_contended", "Lost the race for the next sequence number.")
    story.behind(ask("builds", {"branch": "main"}, contended, ok({"rows": 12}), fields=query))
    story.behind(ask("builds", {"older_than_days": 30}, failed(404, "routing_gap", "No route."), fields=gap))
    story.behind(ask("emit_event", {"event_type": "note"}, raced, raced, ok({"stored": True}), fields=telemetry))
    bad_type = failed(400, "trace_event_type_invalid", "Unknown event type.")
    bad_payload = failed(400, "trace_payload_invalid", "The payload is no object.")
    story.behind(ask("emit_event", {"event_type": "vibe"}, bad_type, fields=telemetry))
    story.behind(ask("emit_event", {"event_type": "custom", "payload": "7"}, bad_payload, fields=telemetry))
    story.notes("note", {"text": "two events were refused"})
    return story.answers("Listed 12 builds of main. Old builds could not be purged.")


def store_trouble() -> Story:
    story = _story(
        "coding-store-trouble",
        "The proxy's backing store blinked and came back; a later 503 without a known class is terminal; then the "
        "proxy no longer knew the run.",
        "2026-04-02T17:44:03",
        task_id="triage-issue",
        judge_passed=False,
    )
    story.user("Label all issues about imports.")
    away = failed(503, "context_store_unavailable", "The backing store cannot be reached.")
    hit = {"hits": [{"number": 2207}, {"number": 2231}]}
    story.call("search_issues", {"query": "import"}, away, away, away, ok(hit))
    story.call("add_label", {"number": 2207, "label": "import"}, failed(503, "maintenance", "Back at six."))
    unknown = failed(404, "run_not_registered", "This run is not registered here.")
    story.call("add_label", {"number": 2231, "label": "import"}, unknown)
    return story.answers("I found issues 2207 and 2231, but could not label them.")


def dropped_messages() -> Story:
    story = _story(
        "coding-dropped-messages",
        "A transcript with every fault that normalisation knows: entries dropped in their place, fields set to null, "
        "the rest kept.",
        "2026-04-02T18:20:45",
        task_id="explain-module",
        judge_passed=True,
    )
    story.user("What does the module clock.py do?")
    story.call("read_file", {"path": "clock.py"}, ok({"path": "clock.py", "text": "def now(): ..."}))
    story.messages[1]["thinking"] = ["Look at the file."]
    story.behind(ask("list_files", {}, ok([])))
    nameless, text, numbered = {"id": "call_2"}, "read_file clock.py", {"id": 3, "name": "list_files", "arguments": {}}
    story.messages[1]["tool_calls"] += [nameless, text, numbered]
    story.messages[2]["tool_call_id"] = "call_1"
    story.messages += [
        "and then I read the file",
        {"role": "developer", "content": "Answer briefly."},
        {"role": "Assistant", "content": "It gives the time."},
        {"content": "No role at all."},
        {"role": "user", "content": {"type": "text", "text": "A bare content part."}},
        {"role": "tool", "tool_call_id": 7, "content": "[]"},
        {"role": "assistant", "content": "One moment.", "tool_calls": {"name": "read_file"}},
    ]
    return story.answers(
        "clock.py holds one function, now().",
        metadata={"model": 2, "total_input_tokens": "412", "agent_runtime_ms": 5120, "git_sha": "9f2c1d7"},
    )


def no_transcript() -> Story:
    story = _story(
        "coding-no-transcript",
        "Neither transcript nor metadata can be read: a thin run that says why it is thin.",
        "2026-04-02T18:52:10",
        task_id="explain-module",
        judge_passed=True,
    )
    story.behind(ask("read_file", {"path": "drift.py"}, ok({"path": "drift.py", "text": "LIMIT = 0.01"})))
    return story.answers(
        "drift.py sets the limit of the drift to 0.01.",
        messages="user: what does drift.py do?",
        metadata=["heron-2-large"],
        soft_warnings=["messages: expected an array, got a string", "metadata: expected an object, got an array"],
    )


def all_messages_dropped() -> Story:
    story = _story(
        "coding-all-dropped",
        "Every message was dropped, so rich mode stayed off, although messages were sent.",
        "2026-04-02T19:10:22",
        task_id="explain-module",
        judge_passed=False,
    )
    return story.answers(
        "I could not find the module.",
        messages=[{"role": "human", "content": "What does skew.py do?"}, {"role": "ai", "content": "No idea."}],
        status=LEFT_OUT,
    )


def repeated_ids() -> Story:
    story = _story(
        "coding-repeated-ids",
        "Tool-call ids that recur, that are missing, a result nobody asked for and a call that nobody answered.",
        "2026-04-02T19:33:54",
        task_id="triage-issue",
        judge_passed=True,
    )
    story.user("Compare issues 2207 and 2231.")
    story.call("get_issue", {"number": 2207}, ok({"number": 2207, "votes": 41}), call_id="functions.get_issue")
    story.call("get_issue", {"number": 2231}, ok({"number": 2231, "votes": 17}), call_id="functions.get_issue")
    story.call("get_issue", {"number": 2250}, ok({"number": 2250, "votes": 13}), call_id="")
    story.call("get_votes", {"numbers": [2207, 2231]}, ok({"total": 58}), told=None)
    story.messages.append({"role": "tool", "tool_call_id": "functions.close_issue", "content": '{"closed": false}'})
    return story.answers("2207 has 41 votes, 2231 has 17 and 2250 has 13.")


RUNS = (
    flaky_test,
    broken_arguments,
    keyed_deploy,
    trace_trouble,
    store_trouble,
    dropped_messages,
    no_transcript,
    all_messages_dropped,
    repeated_ids,
)
