// A tool call as one card, read from top to bottom: what the model asked, what the log proves, what the model was given.

const CHAIN_STATES = {
  succeeded: { word: "ok", tone: "ok" },
  recovered: { word: "recovered", tone: "ok" },
  exhausted: { word: "retries exhausted", tone: "bad", failed: true },
  gave_up: { word: "gave up", tone: "bad", failed: true },
  failed: { word: "failed", tone: "bad", failed: true },
  application_error: { word: "application error", tone: "warn", failed: true },
};
const CALL_STATES = {
  ok: { word: "ok", tone: "ok" },
  application_error: { word: "application error", tone: "warn", failed: true },
  failed: { word: "failed", tone: "bad", failed: true },
  injected_failure: { word: "injected failure", tone: "injected", failed: true },
};
const SOURCES = {
  __proto__: null, // a source may be called "constructor"
  odyssey: "simulated by the platform",
  injected: "a failure rule answered, on purpose",
  error: "the simulator itself failed",
  passthrough: "answered by the live tool",
  transport_error: "the live tool could not be reached",
};
const AGREEMENTS = {
  same: { word: "= receipt", tone: "soft" },
  agrees: { word: "agrees with the receipt", tone: "soft" },
  told: { word: "told of the failure", tone: "soft" },
  differs: { word: "differs from the receipt", tone: "warn" },
  hidden: { word: "says nothing of the failure", tone: "bad" },
};
const ACTOR_STATES = {
  declared: { word: "declared", tone: "soft" },
  undeclared: { word: "undeclared", tone: "undeclared" },
  unchecked: { word: "unchecked", tone: "soft", title: "the run declares no actors to check against" },
  malformed: { word: "malformed label", tone: "bad" },
};
const INLINE_ARGUMENTS = 64;

/** The word, the colour, and whether the card counts as a failure. */
function cardState(card) {
  const { receipt, chain, asked } = card;
  if (!receipt) {
    if (asked.notes?.some((note) => note.kind === "call without receipt")) return { word: "no receipt", tone: "bad", failed: true };
    return asked.answer === undefined ? { word: "no answer", tone: "warn" } : { word: "", tone: "soft" };
  }
  const state = receipt.outcome === "injected_failure" || !card.whole ? CALL_STATES[receipt.outcome] : CHAIN_STATES[chain.outcome];
  return state.failed && chain.overcome ? { ...state, word: `${state.word}, overcome later`, tone: "warn" } : state;
}

function callCard(ctx, at, n) {
  const card = ctx.model.cards[at][n];
  const { asked, receipt } = card;
  const state = cardState(card);
  const name = asked?.name ?? receipt.tool;
  const from = asked?.arguments !== undefined ? asked : (receipt ?? {});
  const inline = inlineArguments(from);
  const head = el(
    "div.head",
    null,
    name === undefined ? el("b.bad", null, "unreadable call") : literal(ctx, at, `${n}.tool`, name, "b.tool"),
    inline === null ? null : literal(ctx, at, `${n}.arguments`, inline, "code.inline"),
    decisiveMark(ctx, card.path),
    el(
      "span.actions",
      null,
      linkButton("Copy", (event) => ctx.copy(cardJson(ctx.model, card), event.currentTarget), `Copy this call as JSON, ${card.path}`),
      ...stepActions(ctx, card.path, `this call, ${card.path}`),
    ),
    state.word ? el(`span.state.${state.tone}`, null, state.word) : null,
  );
  const rows = [
    inline === null && argumentsRow(ctx, at, `${n}.arguments`, from),
    ...(receipt ? receiptRows(ctx, at, n, card) : [unlinkedRow(ctx, asked)]),
    asked && answerRow(ctx, at, n, card),
    asked?.extra && row("more", fold(ctx, at, `${n}.extra`, "other fields of the call", () => payloadBlock(ctx, at, `${n}.extra`, { json: asked.extra }))),
    noteLines(ctx, at, `${n}.`, ctx.model.notesOfCard(card)).map((note) => el("div.row.noted", null, note)),
  ];
  const selected = ctx.view.selected === card.path;
  return el(
    `div.card${state.failed ? `.${state.tone}` : ""}${selected ? ".selected" : ""}`,
    { "data-path": card.path, role: "group", "aria-label": `call of ${visible(name ?? "an unreadable tool")}${state.word ? `, ${state.word}` : ""}` },
    head,
    rows,
  );
}

function row(label, ...content) {
  return el("div.row", null, el("div.label", null, label), el("div.value", null, content));
}

function inlineArguments(call) {
  if (call.arguments === undefined || call.undecoded || call.arguments.length > INLINE_ARGUMENTS) return null;
  const text = shownJson(call.arguments);
  return text.length <= INLINE_ARGUMENTS ? text : null;
}

const UNDECODED = {
  text: "not decoded: this is the exact text that the model wrote",
  value: "not an object",
};

function argumentsRow(ctx, at, key, call, label = "arguments") {
  if (call.arguments === undefined) return row(label, el("span.absent", null, "none"));
  const text = argumentsText(call);
  const why = call.undecoded && el("div.warn", null, UNDECODED[call.undecoded]);
  if (text === "") return row(label, why, el("span.absent", null, "empty text"));
  return row(label, why, textBlock(ctx, at, key, text, { mono: true, fold: FOLD.payload }));
}

function unlinkedRow(ctx, asked) {
  if (!ctx.model.data.has_log) return null;
  const missing = asked.notes?.some((note) => note.kind === "call without receipt");
  return row("receipt", missing ? el("span.bad", null, "none: the log has no such call") : el("span.soft", null, "not linked to the log"));
}

function receiptRows(ctx, at, n, card) {
  const { receipt, attempts, asked } = card;
  const key = `${n}.${receipt.sequence}`;
  return [
    attempts.length > 1 && row("attempts", attemptsLine(ctx, at, n, card)),
    row(
      asked ? "receipt" : "answered",
      el("div.facts", null, factsOf(ctx, at, n, card, receipt)),
      card.chain.repeats !== undefined && repeatLine(ctx, card),
      moreOfCall(ctx, at, key, receipt),
    ),
    asked?.arguments !== undefined && receipt.arguments !== undefined && argumentsRow(ctx, at, `${key}.arguments`, receipt, "logged as"),
    (receipt.error_class || receipt.error) && errorRow(ctx, at, key, receipt),
    receipt.response && row("response", payloadBlock(ctx, at, `${key}.response`, receipt.response)),
  ];
}

/** What the log has besides, folded: the validation and the fields that the contract does not name. */
function moreOfCall(ctx, at, key, call) {
  const parts = ["validation", "extra"].filter((field) => call[field]);
  if (!parts.length) return null;
  const title = parts.map((field) => ({ validation: "validation", extra: "other fields of the log" })[field]).join(", ");
  return fold(ctx, at, `${key}.more`, title, () =>
    parts.map((field) => payloadBlock(ctx, at, `${key}.${field}`, { json: call[field] })),
  );
}

/** Who answered, how, how long, as short facts with a dot between. */
function factsOf(ctx, at, n, card, call) {
  const facts = [
    el("span.soft", null, `call ${call.sequence}`),
    call.source === undefined
      ? el("span.soft", null, "no source named")
      : el("code", { title: SOURCES[call.source] ?? "a source that the contract does not know" }, visible(call.source)),
    call.latency_ms === undefined ? el("span.soft", null, "time not logged") : el("span", null, duration(call.latency_ms)),
    call.status !== undefined && el("span", null, `status ${call.status}`),
    call.rule !== undefined && el("span.injected", null, `rule ${call.rule}`),
    call.stale && el("span.bad", null, "stale token"),
    call.lane && el("span.soft", null, `${call.lane} lane`),
    (call === card.receipt || call.actor !== card.receipt.actor) && actorFact(ctx, at, n, call),
    !call.response && !call.error && card.asked === null && el("span.absent", null, "response null"),
  ].filter(Boolean);
  return facts.flatMap((fact, place) => (place ? [el("i.dot", null, " · "), fact] : [fact]));
}

function actorFact(ctx, at, n, call) {
  if (call.actor === undefined) return ctx.model.attributed ? el("span.soft", null, "by nobody named") : null;
  const state = ACTOR_STATES[call.actor_status];
  const suggestion = ctx.model.suggestions.get(call.actor);
  return el(
    "span",
    null,
    el("span.soft", null, "by "),
    literal(ctx, at, `${n}.${call.sequence}.actor`, call.actor),
    state && el(`span.${state.tone}`, { title: state.title }, ` ${state.word}`),
    suggestion && el("span.undeclared", null, ", did you mean ", el("code", null, visible(suggestion)), "?"),
  );
}

function errorRow(ctx, at, key, call) {
  const name = call.error_class && literal(ctx, at, `${key}.class`, call.error_class, "code.bad");
  return row("error", name && el("div", null, name), call.error && payloadBlock(ctx, at, `${key}.error`, call.error));
}

function repeatLine(ctx, card) {
  const earlier = ctx.model.data.chains[card.chain.repeats].calls.at(-1);
  const go = linkButton(`call ${earlier}`, () => ctx.jump(`calls[${earlier}]`));
  return el("div.soft", null, "the model tried again what had failed in ", go);
}

function answerRow(ctx, at, n, card) {
  const answer = ctx.model.answerOf(card);
  if (!answer) return row("the model saw", el("span.absent", null, "nothing: no tool message answers this call"));
  const agreed = AGREEMENTS[card.asked.agreement];
  const place = linkButton(`message ${answer.index}`, () => ctx.jump(`messages[${answer.index}]`));
  return row(
    "the model saw",
    contentBlocks(ctx, at, `${n}.given.`, answer, FOLD.payload),
    el("div.foot", null, place, agreed && el(`span.${agreed.tone}`, null, agreed.word)),
  );
}
