"""The kinds of findings as data, by chapter: what each means, why it matters and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

from trace_store.model import Severity


class Kind(NamedTuple):
    """A kind of finding. `rule` cites the contract; the texts are for the reviewer. `false_alarms` says how to tell
    whether a finding of the kind is one."""

    kind: str
    severity: Severity
    rule: str
    title: str
    meaning: str
    why_it_matters: str
    false_alarms: str
    what_to_do: str


ANSWER = (
    Kind(
        "response_missing", "error", "R3", "No final answer",
        "The run ended without a final answer: `final_response` is missing, null or empty.",
        "There is nothing to grade. The platform fails such a run, whatever its tools did.",
        "Always true. An answer of whitespace alone does not count as empty.",
        "Look in the last messages and calls where the agent stopped. Have it return a sentence even when it fails.",
    ),
    Kind(
        "response_cut", "warning", "R4", "Answer cut",
        "The final answer was longer than the platform keeps, and the judge saw only its beginning.",
        "The judge may have missed something that only the rest says.",
        "Always true. If the export was already cut, the rest is lost; otherwise the raw document has all of it.",
        "Read the rest before you trust the verdict. Have the agent give shorter answers.",
    ),
    Kind(
        "run_failed", "error", "R3, R22", "Run failed",
        "The run has an error class of its own, or a status that means failure.",
        "The run did not finish normally: its answer, if it has one, may be incomplete.",
        "A status can be out of date if the export was made while the run was still going; an error class cannot.",
        "Read the error class, then the first failed boundary: a timeout and a refusal need different fixes.",
    ),
    Kind(
        "answer_ungrounded", "info", "R37", "Facts without a source",
        "The answer states numbers, identifiers, addresses or dates that appear in no successful receipt, in no user "
        "or system message and not in the task input.",
        "They may be invented.",
        "A hint, never a verdict. Sums, conversions and other ways to write a date or a time can be true without "
        "appearing anywhere; so can what the model knows about the world.",
        "Look at each fact. If the model could only know it from a tool, and no tool returned it, it is made up.",
    ),
    Kind(
        "answer_unverified", "warning", "R37", "Answer without a receipt",
        "The agent called tools, or claims that it did, and gave an answer although no call succeeded.",
        "Nothing supports what the answer says was done or looked up.",
        "Always true. The answer itself may still be honest: it can say that nothing worked.",
        "Read the answer. If it reports success, the run is wrong whatever the judge said.",
    ),
)  # fmt: skip

TRANSCRIPT = (
    Kind(
        "rich_mode_dropped", "warning", "R7–R13", "Part of the transcript dropped",
        "A part of `messages` or `metadata` is malformed, and the platform drops it.",
        "The run still counts, but its transcript has less than what was sent, and nothing else says so.",
        "Always true. The placeholder in the transcript opens the original entry.",
        "Fix what the agent exports: the message names the part and what is wrong with it.",
    ),
    Kind(
        "arguments_undecoded", "warning", "R11, R16", "Arguments that are not an object",
        "The arguments of a call are not a JSON object, nor the text of one. They are shown unchanged, never repaired.",
        "A tool that receives broken arguments refuses them, or guesses.",
        "A framework may have repaired the text before it called the tool: the receipt shows what it sent.",
        "See whether the text ends early (out of tokens) or is malformed, and whether the call was refused.",
    ),
    Kind(
        "tool_call_id_duplicate", "info", "R35", "Id used twice",
        "Two tool calls of the transcript have the same id.",
        "Software that joins results to calls by id gets some of them wrong. Here they are joined by order.",
        "Some frameworks reuse ids in healthy transcripts.",
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
        "A tool message answers no call before it.",
        "The model received something that it did not ask for: a result was added, repeated or misplaced, or its call "
        "was dropped.",
        "If a message before it was dropped, its call may have been in that one.",
        "Look at the dropped entries first, then at how the agent builds its transcript.",
    ),
    Kind(
        "tool_call_unanswered", "warning", "R35", "Call without a result",
        "No tool message answers this tool call.",
        "The model went on, or the run ended, without knowing the result.",
        "The last call of a run that was cut short is often unanswered, and so are hand-offs of some frameworks.",
        "See in the receipt whether the call was made: it may have taken effect.",
    ),
)  # fmt: skip

CALLS = (
    Kind(
        "unreadable_call", "warning", "R16", "Unreadable call",
        "An entry of the log is not an object, or names no tool.",
        "A call may have been made that does not appear anywhere else.",
        "Always true. The entry is kept as it was.",
        "Fix the export.",
    ),
    Kind(
        "unknown_source", "warning", "R17", "Unknown source",
        "A call has a source that the contract does not know.",
        "Nothing shows whether the response was simulated or live.",
        "A newer platform may have new sources.",
        "Ask where the value comes from before you trust the response.",
    ),
    Kind(
        "rule_index_inconsistent", "warning", "R20", "Rule index and source disagree",
        "A call that was not injected has the index of a failure rule, or an injected call names no rule.",
        "Deliberate failures cannot be told from real ones.",
        "Always true.",
        "Check the failure rules of the scenario, and the export.",
    ),
    Kind(
        "validation_inconsistent", "warning", "R20", "Validation and source disagree",
        "A call that the simulator did not answer has a validation.",
        "Only the simulator validates, so either the source or the validation is wrong.",
        "Always true.",
        "Check the export.",
    ),
    Kind(
        "call_failed", "error", "R19", "Call failed",
        "A call failed for good, and no later call made up for it.",
        "What it should have done or looked up is missing from the run.",
        "The model may have reached the same goal with other arguments or another tool: see what corrected it.",
        "Read the status and the class: 400 and 422 are faults of the caller, 404 of the setup, 5xx of the platform.",
    ),
    Kind(
        "stale_token", "error", "R23", "Stale run token",
        "A call was refused because its run had closed.",
        "Everything after it fails the same way, and the model goes on without any results.",
        "Always true.",
        "End the agent when the run closes; look for work that outlives the run, or for a copied token.",
    ),
    Kind(
        "token_missing", "error", "R22", "No run token",
        "A call was sent without a token.",
        "It often comes from a child process whose environment was built by hand: none of its calls can succeed.",
        "Always true.",
        "Pass the run's environment on to the child process.",
    ),
    Kind(
        "retry_exhausted", "error", "R27", "Retries exhausted",
        "A call failed four times or more, the last time in a way that may be retried.",
        "The platform was unavailable for longer than the policy waits.",
        "Always true.",
        "For lock contention, look at the parallel calls that are named; for 429, at how many run at once.",
    ),
    Kind(
        "retry_gave_up", "warning", "R26", "Gave up early",
        "A call failed in a way that may be retried, and the caller did not use all its attempts.",
        "The failure would probably have passed.",
        "The caller may have turned retries off on purpose, to stay fast.",
        "See whether the call was meant to be retried.",
    ),
    Kind(
        "failure_injected", "info", "R20", "Injected failure",
        "A failure rule of the scenario made this call fail, deliberately.",
        "It tests the agent. What counts is what the agent did next.",
        "Always true: the failure was intended.",
        "Judge the reaction: did the agent notice, recover or tell the user?",
    ),
    Kind(
        "application_error", "warning", "R19", "Error in the payload",
        "The tool answered, and its answer says that it could not do it.",
        "The step did not happen, though the call succeeded.",
        "Some tools have an `error` field that means little. A later call with other arguments may have succeeded.",
        "See what the model did with it.",
    ),
    Kind(
        "outcome_unknown", "warning", "R19", "No answer: the effect may have happened",
        "A call got no answer.",
        "Nobody knows whether it did what it should: a refund may have been issued.",
        "A call that only reads has no effect.",
        "Before you repeat the call, ask the system behind the tool what happened.",
    ),
    Kind(
        "possible_duplicate_effect", "warning", "R24", "Possibly done twice",
        "A call repeats one whose outcome is unknown.",
        "If the first call took effect, the effect has happened twice.",
        "Harmless for calls that only read, and for those that the server recognises by an idempotency key.",
        "Check for a second effect, and give the tool an idempotency key.",
    ),
    Kind(
        "repeated_call", "info", "R24", "Same call again",
        "The agent made a call that had already succeeded, with the same arguments.",
        "At best the call was wasted; at worst its effect happened twice.",
        "It makes sense to read again what may have changed.",
        "If the tool writes, check for a second effect. If it reads, find out why the model asked again.",
    ),
    Kind(
        "retry_over_budget", "warning", "R26", "More attempts than the policy allows",
        "A call was tried more than four times.",
        "The SDK stops at four, so something else retries too.",
        "One idempotency key used for several calls looks the same.",
        "Look for a retry loop around the SDK.",
    ),
    Kind(
        "retried_terminal", "warning", "R26", "Retried after a terminal failure",
        "A call was tried again after a failure that cannot go away by itself, or after no answer.",
        "It fails the same way again; after no answer, it may take effect twice.",
        "Attempt numbers or idempotency keys show it, and the agent may set those itself.",
        "Find what retries, and have it stop at terminal failures.",
    ),
    Kind(
        "retry_wait_off_policy", "info", "R26", "Wait outside the policy",
        "The wait before a retry is outside the window of the policy by more than a quarter of a second.",
        "A wait that is too short adds load to a platform in trouble; one that is too long wastes time.",
        "The clocks of two machines may differ, and a wait for a free worker adds to it.",
        "Compare with the other waits of the run.",
    ),
    Kind(
        "agent_retry", "info", "R25", "The model tried again",
        "After a call that ended badly, the model made the same call again.",
        "Retries by the model cost more than those of the SDK, and are not counted among them.",
        "Always true.",
        "See whether the failure could have gone away by itself.",
    ),
    Kind(
        "envelope_invalid", "warning", "R39", "Invalid failure envelope",
        "A failure envelope breaks its own rules: the message names the violation.",
        "A program that acts on the envelope acts wrongly, for instance retries what it must not.",
        "Always true.",
        "Fix the adapter that writes the envelope.",
    ),
)  # fmt: skip

ACTORS = (
    Kind(
        "actor_undeclared", "warning", "R30", "Undeclared actor",
        "Calls have the label of an actor that the catalog does not declare.",
        "It is mostly a typo, and the calls count for no declared actor.",
        "True if the catalog is complete. A similar declared label is shown as a suggestion.",
        "Correct the label, or declare the actor.",
    ),
    Kind(
        "actor_malformed", "warning", "R28", "Malformed label",
        "A label breaks the rules for labels: empty or overlong segments, too many, or bad characters.",
        "The proxy refuses such a label with a 400.",
        "Always true.",
        "Fix the label where the agent sets it.",
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
        "The lead agent often has no label of its own.",
        "Set a label for every actor.",
    ),
    Kind(
        "actor_tool_not_owned", "warning", "R32", "Tool of another actor",
        "An actor called a tool that is not in its catalog entry.",
        "Either the actor did what it should not, or the call carries the wrong label.",
        "The catalog entry may be out of date.",
        "See whether the label is suspect too; otherwise restrict the actor or correct its entry.",
    ),
    Kind(
        "attribution_suspect", "warning", "R32", "Suspect label",
        "An actor called a tool that it does not own, while an actor that owns it was calling too.",
        "Under concurrency a label can leak from one task to another: then another actor made the call.",
        "Only the times show it; two actors that share a tool without declaring it look the same.",
        "Bind the label to the handle of each sub-agent rather than to the context of the task.",
    ),
)  # fmt: skip

TOOLS = (
    Kind(
        "tool_undeclared", "warning", "R34, R36", "Undeclared tool",
        "A tool was called that the run does not declare.",
        "The model invented it, or the declaration is incomplete: its calls cannot be checked.",
        "Hand-offs and tools of the framework are often undeclared.",
        "Declare the tool, or find out why the model called it.",
    ),
    Kind(
        "arguments_invalid", "error", "R34", "Arguments do not match the schema",
        "The arguments of a call do not match the tool's input schema.",
        "The call is refused, or does something that was not intended.",
        "If the call was answered anyway, the schema may be stricter than the tool.",
        "Read the value that does not match. Make the tool's description clearer, or its schema less strict.",
    ),
    Kind(
        "response_invalid", "warning", "R34", "Response does not match the schema",
        "The response of a successful call does not match the tool's output schema.",
        "An agent that relies on its fields breaks, or works with values that are not there.",
        "As reliable as the schema is.",
        "If the response was simulated, the simulator is at fault; if it was live, the schema is out of date.",
    ),
    Kind(
        "wrong_family_source", "warning", "R34", "Source does not match the mode",
        "A tool declared as simulated was answered live, or the other way round.",
        "Either a test reached a live system, or it measured a simulation.",
        "True if the declared mode is the one that ran.",
        "Check the mode of the tool before you run anything again.",
    ),
    Kind(
        "output_schema_missing", "info", "R34", "No output schema",
        "The simulator answered a tool that declares no output schema.",
        "Nothing made the simulated response match the structure that the agent expects.",
        "Always true.",
        "Declare an output schema.",
    ),
    Kind(
        "schema_invalid", "warning", "R33, R34", "Invalid declaration",
        "A tool's declaration is wrong, or its schema cannot be used: it is not a valid schema, refers to something "
        "that is not there, or cannot be checked in bounded time.",
        "What depends on it is not checked.",
        "Patterns with look-around, back-references or counts beyond 1,000 are valid, but are not evaluated here.",
        "Fix the declaration.",
    ),
    Kind(
        "tool_binding_missing", "info", "R33", "Live tool without a binding",
        "A tool is declared live, but does not say where it is.",
        "Nothing says where its calls go.",
        "An export may leave the binding out.",
        "Bind the tool to its endpoint.",
    ),
    Kind(
        "no_tool_calls", "info", "R38", "No tool called",
        "Tools are declared, and the log is empty.",
        "An agent that should have looked something up may have answered without doing so.",
        "Some tasks need no tool.",
        "See whether the answer states something that only a tool could know.",
    ),
)  # fmt: skip

RECEIPTS = (
    Kind(
        "call_without_receipt", "error", "R36", "Claimed, but never called",
        "The transcript has a tool call that the log does not have.",
        "The call or its result was made up, and nothing supports what the run did with it.",
        "A tool that runs inside the agent never reaches the proxy: declare it as executed. A log that was cut "
        "lacks its last calls.",
        "Compare the claimed result with the answer. If the answer rests on it, the run is wrong.",
    ),
    Kind(
        "receipt_without_call", "warning", "R36", "Called, but not in the transcript",
        "The log has a call that the transcript does not show.",
        "The agent did something that its transcript does not show.",
        "Calls that the program makes by itself, before or after the model, are not in the transcript.",
        "If the tool writes, find out who called it.",
    ),
    Kind(
        "actor_outside_transcript", "info", "R36", "Actor outside the transcript",
        "None of an actor's calls is in the transcript.",
        "What it did can only be seen in the log.",
        "Normal for sub-agents: the transcript is that of the lead agent.",
        "Review the actor's calls in the log.",
    ),
    Kind(
        "tool_result_differs", "info", "R36", "Result differs from the receipt",
        "The tool message differs from the response in the receipt of its call.",
        "The model worked with something other than what the tool returned.",
        "Frameworks shorten, translate or wrap results.",
        "Compare the two on the card of the call. If a fact changed, find out what changed it.",
    ),
    Kind(
        "failure_hidden", "warning", "R36", "Failure hidden from the model",
        "A call failed, and the result that the model was given does not mention an error.",
        "The model went on as if it had worked.",
        "A message that describes the failure in other words (`not available`) is not recognised.",
        "Have the tool return the error to the model.",
    ),
)  # fmt: skip

FILE = (
    Kind(
        "secret_redacted", "warning", "R44", "Secret redacted",
        "The document contained a secret, such as a token. It was replaced before anything was stored.",
        "Whoever has the original file has the secret.",
        "An expired token is harmless; redaction cannot tell.",
        "Have the export leave secrets out, and keep the original file secret.",
    ),
)  # fmt: skip
