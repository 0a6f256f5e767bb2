"""Research: a desk that reads tide gauges and archives, and sometimes writes more than it found."""

from __future__ import annotations

import json
import random

from sample_runs.story import JSON, LEFT_OUT, Answer, Story, ask, failed, ok, tool

READ_GAUGE = tool(
    "read_gauge",
    "Highest level at a tide gauge in a year, in metres.",
    "station year:integer",
    "station level_m:number",
)
SEARCH_ARCHIVE = tool("search_archive", "Search the harbour archive.", "query", "hits:array")
CAPTION = tool("caption_figure", "Write the caption of a figure.", "figure", "caption")
TOOLS = [READ_GAUGE, SEARCH_ARCHIVE]
CUT_MARKER = "…[truncated]"


def _story(run_id: str, shows: str, started: str, **facts: JSON) -> Story:
    common = {"agent_id": "research-desk", "metadata": {"model": "heron-2-mini", "system_prompt_id": "research-v2"}}
    return Story(run_id, shows, started=started, **common | facts)


def ungrounded_figure() -> Story:
    story = _story(
        "research-ungrounded-figure",
        "One figure of the answer stands in no receipt; the others do. Passed by the judge all the same.",
        "2026-04-03T08:10:00",
        task_id="highest-tide",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("What was the highest level at the Skerry gauge in 2019, and how unusual is that?")
    story.call("read_gauge", {"station": "Skerry", "year": 2019}, ok({"station": "Skerry", "level_m": 4.37}))
    return story.answers(
        "The highest level at Skerry in 2019 was 4.37 m. Levels above 4.31 m come back every 68 years on average."
    )


def unverified() -> Story:
    story = _story(
        "research-unverified",
        "Not one call succeeded, and yet there is an answer: nothing in the log bears it out.",
        "2026-04-03T08:41:17",
        task_id="highest-tide",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("What was the highest level at the Skerry gauge in 2021?")
    crash = failed(500, None, "Unhandled exception while dispatching the call.")
    story.call("read_gauge", {"station": "Skerry", "year": 2021}, crash)
    story.call("search_archive", {"query": "Skerry 2021 highest level"}, crash)
    return story.answers("The highest level at Skerry in 2021 was 4.12 m, on the night of 14 November.")


def json_answer() -> Story:
    story = _story(
        "research-json-answer",
        "The answer is a JSON object in a string: each of its values is held against the receipts.",
        "2026-04-03T09:02:38",
        task_id="highest-tide",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("Highest level at Skerry in 2020, as JSON please.")
    story.call("read_gauge", {"station": "Skerry", "year": 2020}, ok({"station": "Skerry", "level_m": 4.2}))
    return story.answers('{"station": "Skerry", "year": 2020, "level_m": 4.20}')


def asked_twice() -> Story:
    story = _story(
        "research-asked-twice",
        "The same question to the same tool again after it had been answered: two logical calls, one for nothing.",
        "2026-04-03T09:25:06",
        task_id="highest-tide",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.user("Is 2018 above 4 m at Skerry?")
    level = ok({"station": "Skerry", "level_m": 4.05})
    story.call("read_gauge", {"station": "Skerry", "year": 2018}, level)
    story.call("read_gauge", {"year": 2018, "station": "Skerry"}, level)
    return story.answers("Yes, it reached 4.05 m in 2018.")


def shared_label() -> Story:
    story = _story(
        "research-shared-label",
        "Two agents at work at once share a tool body, and one call went out under the other's label: it does not "
        "own that tool, and overlaps with the agent that does.",
        "2026-04-03T10:00:29",
        task_id="annual-figures",
        judge_passed=True,
        tools_schema=[READ_GAUGE, CAPTION],
        sub_agents=[
            {"actor_id": "gauge_reader", "tools": ["read_gauge"]},
            {"actor_id": "caption_writer", "tools": ["caption_figure"]},
        ],
    )
    story.user("Read Skerry and Holm for 2022 and caption figure 3.")
    story.turn(
        ask("read_gauge", {"station": "Skerry", "year": 2022}, _level("Skerry", 4.11), actor="desk/gauge_reader"),
        ask("read_gauge", {"station": "Holm", "year": 2022}, _level("Holm", 3.98), actor="desk/caption_writer"),
        ask("caption_figure", {"figure": "3"}, ok({"caption": "Levels in 2022"}), actor="desk/caption_writer"),
    )
    return story.answers("In 2022 Skerry reached 4.11 m and Holm 3.98 m. Figure 3 now reads “Levels in 2022”.")


def _level(station: str, level_m: float) -> Answer:
    return ok({"station": station, "level_m": level_m})


def long_session() -> Story:
    story = _story(
        "research-long-session",
        "A longer transcript, for the outline, the keys and the find box: twenty calls over four stations.",
        "2026-04-03T11:15:43",
        task_id="annual-figures",
        judge_passed=True,
        tools_schema=TOOLS,
    )
    story.system("Read each gauge, say what you see, and sum up at the end.")
    story.user("Highest levels at Skerry, Holm, Aldness and Brae, 2018 to 2022.")
    highest = 0.0
    for station in ("Skerry", "Holm", "Aldness", "Brae"):
        for year in range(2018, 2023):
            level_m = round(story.random.uniform(3.6, 4.5), 2)
            highest = max(highest, level_m)
            story.call("read_gauge", {"station": station, "year": year}, _level(station, level_m))
        story.says(f"{station} is read.")
    return story.answers(f"All four stations are read for 2018 to 2022. The highest level of all is {highest:.2f} m.")


PARTS = (
    ("The gauge at {place}", "The record kept at {place}", "The older staff at {place}", "A survey made near {place}"),
    ("was read twice a day", "lay dry for a season", "had been moved by storms", "agrees with its neighbours"),
    ("until the harbour wall was raised", "because the pier had settled", "as the logbook notes in pencil"),
)


def long_report() -> Story:
    story = _story(
        "research-long-report",
        "An answer of more than 50,000 characters: the judge saw its head, and the rest is kept in the raw document.",
        "2026-04-03T12:00:00",
        task_id="history-of-the-gauges",
        judge_passed=True,
    )
    words = random.Random("history of the gauges")
    text = "A history of the gauges.\n\n"
    while len(text) < 50_700:
        place = words.choice(("Skerry", "Holm", "Aldness", "Brae", "Sandvik", "the Narrows"))
        sentence = " ".join(words.choice(part) for part in PARTS).format(place=place)
        text += sentence + (".\n\n" if words.random() < 0.12 else ". ")
    return story.answers(text.rstrip())


def platform_cut() -> Story:
    story = _story(
        "research-platform-cut",
        "An answer that already ends in the platform's cut marker: shown as it is, how much is missing is unknown.",
        "2026-04-03T12:30:00",
        task_id="history-of-the-gauges",
        judge_passed=False,
        soft_warnings=["final_response was longer than 50000 characters and has been truncated"],
    )
    text = "A history of the gauges, in short. The first was built at Skerry, by the harbour master himself, and "
    return story.answers(text * 3 + CUT_MARKER)


def other_key() -> Story:
    story = _story(
        "research-final-output",
        "The answer came under `final_output`, as some frameworks name it; an import warning says where from.",
        "2026-04-03T12:48:12",
        task_id="highest-tide",
        judge_passed=True,
    )
    text = "The Holm gauge was moved in 2004."
    return story.answers(text, final_response=LEFT_OUT, final_output=text)


def note() -> Story:
    story = _story(
        "research-note",
        "A bare JSON string: the smallest run body there is. It has no id of its own.",
        "2026-04-03T13:00:00",
    )
    story.answers("No gauge was ever kept at Sandvik.")
    story.body = story.body["final_response"]
    return story


def responses_style() -> Story:
    story = _story(
        "research-responses",
        "A Responses-style run of two model answers, with the log beside it; the last answer agrees with the receipt.",
        "2026-04-03T13:20:00",
    )
    asked = {"role": "user", "content": "Highest level at Brae in 2017, as JSON please."}
    level = {"station": "Brae", "level_m": 3.87}
    called = _function_call('{"station": "Brae", "year": 2017}')
    reasoning = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "One reading answers this."}]}
    story.behind(ask("read_gauge", {"station": "Brae", "year": 2017}, ok(level)))
    result = {"type": "function_call_output", "call_id": "call_1", "output": json.dumps(level)}
    answer = _message({"type": "output_text", "text": json.dumps(level)})
    story.body = {
        "run_id": story.run_id,
        "task_id": "highest-tide",
        "judge_passed": True,
        "responses": [
            _response([reasoning, called], input=[asked]),
            _response([answer], input=[asked, reasoning, called, result]),
        ],
        "proxy_calls": story.log,
    }
    return story


def responses_incomplete() -> Story:
    story = _story(
        "research-responses-incomplete",
        "A Responses-style answer that ran out of tokens in the middle of a tool call: nothing of it was carried out.",
        "2026-04-03T13:31:00",
    )
    reason = {"reason": "max_output_tokens"}
    cut = _function_call('{"station": "Bra') | {"status": "incomplete"}
    story.body = _response([cut], status="incomplete", incomplete_details=reason, id=story.run_id)
    return story


def responses_refused() -> Story:
    story = _story(
        "research-responses-refused",
        "A Responses-style answer in which the model refused.",
        "2026-04-03T13:37:00",
    )
    refusal = _message({"type": "refusal", "refusal": "I will not publish the keeper's home address."})
    story.body = _response([refusal], id=story.run_id)
    return story


def _response(output: list[JSON], status: str = "completed", **more: JSON) -> dict[str, JSON]:
    return {"object": "response", "model": "heron-2-mini", "status": status, "output": output} | more


def _function_call(arguments: str) -> dict[str, JSON]:
    return {"type": "function_call", "call_id": "call_1", "name": "read_gauge", "arguments": arguments}


def _message(part: JSON) -> JSON:
    return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}


RUNS = (
    ungrounded_figure,
    unverified,
    json_answer,
    asked_twice,
    shared_label,
    long_session,
    long_report,
    platform_cut,
    other_key,
    note,
    responses_style,
    responses_incomplete,
    responses_refused,
)
