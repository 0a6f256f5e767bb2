"""The kinds of findings as data, chapter by chapter: what each states, and what to make of it. Nothing else."""

from __future__ import annotations

from typing import NamedTuple

from trace_store.model import Severity


class Kind(NamedTuple):
    """A kind of finding. `rule` cites the contract; the five texts are for the reviewer who meets it.

    `seen` is what the kind states, `matters` why one should care, `check` how to tell a true alarm from a false one,
    `todo` what to do about a true one; `title` heads it.
    """

    kind: str
    severity: Severity
    rule: str
    title: str
    seen: str
    matters: str
    check: str
    todo: str


ANSWER = (
    Kind(
        "response_missing", "error", "R3", "No final answer",
        "The run ended without a final answer: `final_response` is missing, null or empty.",
        "There is nothing to grade. The platform fails such a run whatever its tools did.",
        "Always true. Whitespace alone would not be empty.",
        "Look at the last messages and calls to see where the agent stopped. Have it return at least one sentence on "
        "every path, also when it fails.",
    ),
    Kind(
        "response_cut", "warning", "R4", "Answer cut",
        "The final answer was longer than the platform keeps, and the judge saw only its head.",
        "What the verdict missed may have been in the tail.",
        "Always true. Where the export was cut already, the tail is lost; else the raw document holds the whole text.",
        "Read the tail before you trust the verdict. Have the agent answer shorter.",
    ),
    Kind(
        "run_failed", "error", "R3, R22", "Run failed",
        "The run carries an error class of the run layer, or its status says that it failed.",
        "The run did not end by itself: what it answered, if anything, may be half done.",
        "A status can be stale where an export was made while the run went on; a class is not.",
        "Read the class, then the first failed boundary: a time-out and a refusal need different repairs.",
    ),
    Kind(
        "answer_ungrounded", "info", "R37", "Facts without a source",
        "The answer states numbers, identifiers, addresses or dates that stand in no successful receipt, no user or "
        "system message and not in the task input.",
        "They may be invented.",
        "A hint, never a verdict. Sums, conversions and other ways to write a date or a time are true without standing "
        "anywhere; so is what the model knows of the world.",
        "Look at each fact. One that the model can only have from a tool, and no tool returned, is made up.",
    ),
    Kind(
        "answer_unverified", "warning", "R37", "Answer without a receipt",
        "The agent called tools, or claims to have, but no call succeeded; and yet there is an answer.",
        "Whatever the answer says was done or looked up rests on nothing.",
        "Right as it stands. The answer itself may still be honest: it can say that nothing worked.",
        "Read the answer. If it reports success, the run is wrong whatever the judge said.",
    ),
)  # fmt: skip

TRANSCRIPT = (
    Kind(
        "rich_mode_dropped", "warning", "R7–R13", "Part of the transcript dropped",
        "A part of `messages` or `metadata` is malformed, and the platform drops it.",
        "The run still counts, but its trace is thinner than what was sent, and nothing else says so.",
        "Always true. The placeholder in the transcript opens the original entry.",
        "Mend what the agent exports: the message names the part and what is wrong with it.",
    ),
    Kind(
        "arguments_undecoded", "warning", "R11, R16", "Arguments that are no object",
        "The arguments of a call are a text that holds no JSON object, or another value. They are shown as they are, "
        "never mended.",
        "A tool that gets broken arguments refuses them, or guesses.",
        "A framework may have mended the text before it called the tool: then the receipt shows the mended arguments.",
        "See whether the text breaks off (the model ran out of tokens) or is malformed, and if the call was refused.",
    ),
    Kind(
        "tool_call_id_duplicate", "info", "R35", "Id used twice",
        "Two tool calls of the transcript have the same id.",
        "Whoever joins results to calls by id joins some of them wrongly. Here they are joined by order.",
        "Ids recur in healthy transcripts of some frameworks.",
        "Nothing, unless results seem swapped.",
    ),
    Kind(
        "tool_call_id_missing", "info", "R35", "Id missing",
        "A tool call or a tool message has no id; they are paired by their order.",
        "With parallel calls the order can mislead.",
        "Always true; harmless where each call is answered before the next.",
        "Have the agent export the ids.",
    ),
    Kind(
        "tool_result_orphan", "warning", "R35", "Result without a call",
        "A tool message answers no call that stands before it.",
        "The model was told something that it did not ask for: a result was added, doubled or misplaced, or its call "
        "was dropped.",
        "If a message before it was dropped, its call may have stood there.",
        "Look at the dropped entries first, then at how the agent builds its transcript.",
    ),
    Kind(
        "tool_call_unanswered", "warning", "R35", "Call without a result",
        "No tool message answers this tool call.",
        "The model went on, or the run ended, without knowing what came of it.",
        "The last call of a run that was cut short is often unanswered, and so are hand-offs of some frameworks.",
        "See in the receipt whether the call was made: its effect may have happened.",
    ),
)  # fmt: skip

CALLS = (
    Kind(
        "unreadable_call", "warning", "R16", "Unreadable call",
        "An entry of the log is no object, or names no tool.",
        "A call may have happened that nothing else here accounts for.",
        "Always true. The entry is kept as it was.",
        "Mend the export.",
    ),
    Kind(
        "unknown_source", "warning", "R17", "Unknown source",
        "A call has a source that the contract does not know.",
        "Whether the response was simulated or live cannot be told.",
        "A newer platform may have new sources.",
        "Ask where the value comes from before you trust the response.",
    ),
    Kind(
        "rule_index_inconsistent", "warning", "R20", "Rule index and source disagree",
        "A failure rule's index stands on a call that was not injected, or an injected call names no rule.",
        "Deliberate failures cannot be told from real ones.",
        "Always true.",
        "Check the failure rules of the scenario, and the export.",
    ),
    Kind(
        "validation_inconsistent", "warning", "R20", "Validation and source disagree",
        "A validation stands on a call that the simulator did not answer.",
        "Only the simulator validates; the source or the validation is wrong.",
        "Always true.",
        "Check the export.",
    ),
    Kind(
        "call_failed", "error", "R19", "Call failed",
        "A call failed for good, and nothing later made up for it.",
        "What it should have done or looked up is missing from the run.",
        "The model may have reached the same end with other arguments, or another tool: see what corrected it.",
        "Read status and class. 400 and 422 are the caller's, 404 the set-up's, 5xx the platform's.",
    ),
    Kind(
        "stale_token", "error", "R23", "Stale run token",
        "A call was refused because its run had closed.",
        "Everything after it fails the same way, and the model goes on reasoning over nothing.",
        "Always true.",
        "End the agent when the run closes; look for work that outlives the run, or a copied token.",
    ),
    Kind(
        "token_missing", "error", "R22", "No run token",
        "A call carried no token at all.",
        "Often a child process whose environment was built by hand: none of its calls can succeed.",
        "Always true.",
        "Pass the run's environment on to the child process.",
    ),
    Kind(
        "retry_exhausted", "error", "R27", "Retries exhausted",
        "Four attempts or more, the last of which failed in a way that may be tried again.",
        "The platform was unavailable for longer than the policy waits.",
        "Always true.",
        "With lock contention, look at the parallel calls named; with 429, at how many calls the agent makes at once.",
    ),
    Kind(
        "retry_gave_up", "warning", "R26", "Gave up early",
        "A call failed in a way that may be tried again, and the caller did not try as often as it could.",
        "The failure would probably have passed.",
        "The caller may have turned retries off on purpose, to stay quick.",
        "See whether the call was meant to be tried again.",
    ),
    Kind(
        "failure_injected", "info", "R20", "Injected failure",
        "A failure rule of the scenario made this call fail, deliberately.",
        "It tests the agent. What counts is what the agent did next.",
        "Always true; that the failure was meant is the point.",
        "Judge the reaction: did the agent notice, recover, or tell the user?",
    ),
    Kind(
        "application_error", "warning", "R19", "Error in the payload",
        "The tool answered, and its answer says that it could not do it.",
        "The step did not happen, though the call succeeded.",
        "Some tools have an `error` field that means little. A later call with other arguments may have mended it.",
        "See what the model made of it.",
    ),
    Kind(
        "outcome_unknown", "warning", "R19", "No answer: the effect may have happened",
        "A call got no answer.",
        "Nobody knows whether it did what it should: a refund may have been issued.",
        "A call that only reads has no effect to fear.",
        "Before anything is done again, ask the system behind the tool what happened.",
    ),
    Kind(
        "possible_duplicate_effect", "warning", "R24", "Maybe done twice",
        "A call repeats one whose outcome is unknown.",
        "If the first one came through, its effect is there twice.",
        "Harmless for calls that only read, and for those that the server tells apart by an idempotency key.",
        "Check for a second effect, and give the tool an idempotency key.",
    ),
    Kind(
        "repeated_call", "info", "R24", "Same call again",
        "The agent made a call that had already succeeded, with the same arguments.",
        "Wasted at best; an effect done twice at worst.",
        "Reading something again that may have changed is sound.",
        "If the tool writes, check for a second effect. If it reads, ask why the model forgot the answer.",
    ),
    Kind(
        "retry_over_budget", "warning", "R26", "More attempts than the policy",
        "A call was tried more than four times.",
        "The SDK stops at four: something else retries too.",
        "One idempotency key used for several calls looks the same.",
        "Look for a retry loop around the SDK's.",
    ),
    Kind(
        "retried_terminal", "warning", "R26", "Retried what cannot succeed",
        "An attempt follows a failure that is terminal.",
        "The same call fails the same way; and after no answer, it may be done twice.",
        "Attempt numbers or keys show it; an agent may set them itself.",
        "Find what retries, and have it stop at terminal failures.",
    ),
    Kind(
        "retry_wait_off_policy", "info", "R26", "Wait off the policy",
        "The wait before a retry lies outside the window of the policy by more than a quarter of a second.",
        "Too short hammers a platform in trouble; too long wastes the run's time.",
        "Clocks of two machines, and time spent waiting for a worker, shift the wait.",
        "Compare with the other waits of the run.",
    ),
    Kind(
        "agent_retry", "info", "R25", "The model tried again",
        "After a call that ended badly, the model made the same call again.",
        "Retries by the model cost more than those of the SDK, and are not counted among them.",
        "Always true.",
        "See whether the failure could have passed by itself.",
    ),
    Kind(
        "envelope_invalid", "warning", "R39", "Invalid failure envelope",
        "A failure envelope breaks its own rules: the message names the violation.",
        "A program that acts on the envelope acts wrongly, for instance retries what it must not.",
        "Always true.",
        "Mend the adapter that writes the envelope.",
    ),
)  # fmt: skip

ACTORS = (
    Kind(
        "actor_undeclared", "warning", "R30", "Undeclared actor",
        "Calls carry the label of an actor that the catalog does not declare.",
        "Mostly a typo: the calls are counted for nobody.",
        "True where a catalog is complete. A label much like a declared one is named as a suggestion.",
        "Correct the label, or declare the actor.",
    ),
    Kind(
        "actor_malformed", "warning", "R28", "Malformed label",
        "A label breaks the rules for labels: empty or overlong segments, too many, or bad characters.",
        "The proxy refuses such a label with a 400.",
        "Always true.",
        "Mend the label where the agent binds it.",
    ),
    Kind(
        "actor_silent", "info", "R31", "Silent actor",
        "A declared actor made no call, and neither did any actor below it.",
        "The work went to others, or was not done.",
        "An actor that only talks makes no calls. A call under a mistyped label makes its actor silent.",
        "Look for undeclared labels first, then at the hand-offs.",
    ),
    Kind(
        "actor_unattributed", "info", "R32", "Calls without a label",
        "Some calls name their actor, others do not.",
        "Figures by actor leave the unlabelled calls out.",
        "The agent that leads the others often has no label of its own.",
        "Bind a label for every actor.",
    ),
    Kind(
        "actor_tool_not_owned", "warning", "R32", "Tool of another actor",
        "An actor called a tool that its catalog entry does not list.",
        "Either the actor did what it should not, or the call carries the wrong label.",
        "The catalog entry may be out of date.",
        "See whether the attribution is suspect too; else restrict the actor, or amend its entry.",
    ),
    Kind(
        "attribution_suspect", "warning", "R32", "Suspect label",
        "An actor called a tool that it does not own, while an actor that owns it was calling too.",
        "Under concurrency a label can leak from one task to another: then the call was somebody else's.",
        "Only times tell; two actors that share a tool without saying so look the same.",
        "Bind the label to the handle of each sub-agent rather than to the context of the task.",
    ),
)  # fmt: skip

TOOLS = (
    Kind(
        "tool_undeclared", "warning", "R34, R36", "Undeclared tool",
        "A tool was called that the run does not declare.",
        "The model invented it, or the declaration is incomplete: its calls cannot be checked.",
        "Hand-offs and tools of the framework are often not declared.",
        "Declare the tool, or see what the model took it for.",
    ),
    Kind(
        "arguments_invalid", "error", "R34", "Arguments against the schema",
        "The arguments of a call do not fit the tool's input schema.",
        "The call is refused, or does something else than was meant.",
        "Where the call was answered all the same, the schema may be stricter than the tool.",
        "Read the value at fault. Sharpen the tool's description, or loosen its schema.",
    ),
    Kind(
        "response_invalid", "warning", "R34", "Response against the schema",
        "The response of a successful call does not fit the tool's output schema.",
        "An agent that indexes into it breaks, or reads what is not there.",
        "Right as far as the schema is.",
        "A simulated response: a fault of the simulator. A live one: the schema is out of date.",
    ),
    Kind(
        "wrong_family_source", "warning", "R34", "Source against the mode",
        "A tool declared as simulated was answered live, or the other way round.",
        "Either a live system was touched by a test, or a test measured a simulation.",
        "Right as far as the declared mode is the one that ran.",
        "Check the mode of the tool before you run anything again.",
    ),
    Kind(
        "output_schema_missing", "info", "R34", "No output schema",
        "The simulator answered a tool that declares no output schema.",
        "Nothing held the invented response to the shape that the agent expects.",
        "Always true.",
        "Declare an output schema.",
    ),
    Kind(
        "schema_invalid", "warning", "R33, R34", "Invalid declaration",
        "A tool's declaration is at fault, or its schema cannot be used: it is none, needs something else, or "
        "cannot be checked in bounded time.",
        "What depends on it is not checked.",
        "Schemas whose patterns use look-around, back-references or counts beyond 1,000 are sound elsewhere, but are "
        "not evaluated here.",
        "Mend the declaration.",
    ),
    Kind(
        "tool_binding_missing", "info", "R33", "Live tool without a binding",
        "A tool is declared live, but says not where it is.",
        "Its calls have nowhere to go.",
        "An export may leave the binding out.",
        "Bind the tool to its endpoint.",
    ),
    Kind(
        "no_tool_calls", "info", "R38", "No tool called",
        "Tools are declared, and the log is empty.",
        "An agent that should have looked something up answered without.",
        "Some tasks need no tool.",
        "See whether the answer states what only a tool could know.",
    ),
)  # fmt: skip

RECEIPTS = (
    Kind(
        "call_without_receipt", "error", "R36", "Claimed, but never called",
        "The transcript claims a tool call that the log does not know.",
        "The call was invented, or its result was. Whatever the run did with it rests on nothing.",
        "A tool that runs inside the agent never meets the proxy: declare it as executed. A cut log is short of "
        "its last calls.",
        "Compare the claimed result with the answer. If the answer rests on it, the run is wrong.",
    ),
    Kind(
        "receipt_without_call", "warning", "R36", "Called, but not told",
        "The log has a call that the transcript does not show.",
        "The agent did something that its transcript hides.",
        "Calls that the program makes by itself, before or after the model, are not in the transcript.",
        "If the tool writes, find out who called it.",
    ),
    Kind(
        "actor_outside_transcript", "info", "R36", "Actor outside the transcript",
        "None of an actor's calls stands in the transcript.",
        "What it did can only be seen in the log.",
        "Normal for sub-agents: the transcript is that of the agent which leads them.",
        "Review the actor's calls in the log.",
    ),
    Kind(
        "tool_result_differs", "info", "R36", "Told something else",
        "The tool message is not what the receipt of its call returned.",
        "The model reasoned over something else than what the tool said.",
        "Frameworks shorten, translate or wrap results.",
        "Compare the two on the card of the call. Where a fact changed, look for who changed it.",
    ),
    Kind(
        "failure_hidden", "warning", "R36", "Failure not told",
        "A call failed, and what the model was told says nothing of an error.",
        "The model went on as if it had worked.",
        "A message that tells the failure in words of its own (`not available`) is taken for silence.",
        "Have the tool return the error to the model.",
    ),
)  # fmt: skip

FILE = (
    Kind(
        "secret_redacted", "warning", "R44", "Secret redacted",
        "The document held a run token or a bearer token; it was replaced before anything was stored.",
        "Whoever has the original file has the secret.",
        "A token that has expired is harmless; redaction does not tell.",
        "Have the export leave tokens out, and treat the original file as secret.",
    ),
)  # fmt: skip
