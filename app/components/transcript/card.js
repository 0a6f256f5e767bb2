// A tool call as one card, read from top to bottom: what the model toolCall, what the log proves, what the model was given.

const INLINE_ARGUMENTS = 64;

/** Returns whether a finding of this kind is about a tool call. */
function hasFinding(toolCall, kind) {
  return toolCall.notes?.some((note) => note.kind === kind) ?? false;
}

function isMissing(toolCall) {
  return hasFinding(toolCall, "call_without_receipt");
}

/** Returns the word of the card, its tone and meaning, and whether the card counts as a failure. */
function cardState(card) {
  const { receipt, chain, toolCall } = card;
  if (!receipt) {
    if (isMissing(toolCall)) return { ...WORDS.call.no_receipt, failed: true };
    return toolCall.answer === undefined ? WORDS.call.no_answer : { word: "", tone: "soft" };
  }
  const byCall = receipt.outcome === "injected_failure" || !card.whole;
  // What cannot be read is not known to have failed.
  const failed = byCall ? !["ok", "unreadable"].includes(receipt.outcome) : !["succeeded", "recovered", "unreadable"].includes(chain.outcome);
  const state = byCall ? WORDS.outcome[receipt.outcome] : WORDS.chain[chain.outcome];
  return failed && chain.overcome ? { ...state, failed, word: `${state.word}, recovered later`, tone: "warn" } : { ...state, failed };
}

function callCard(ctx, at, n) {
  const card = ctx.model.cards[at][n];
  const { toolCall, receipt } = card;
  const state = cardState(card);
  const name = toolCall?.name ?? receipt.tool;
  const from = toolCall?.arguments !== undefined ? toolCall : (receipt ?? {});
  const inline = areInline(from);
  const head = el(
    "div.head",
    null,
    name === undefined ? el("b.bad", null, "unreadable call") : literal(ctx, at, `${n}.tool`, name, "b.tool"),
    inline && jsonBlock(ctx, at, `${n}.arguments`, from.arguments, { isLine: true }),
    decisiveMark(ctx, card.path),
    el(
      "span.actions",
      null,
      linkButton("Copy", (event) => ctx.copy(cardJson(ctx.model, card), event.currentTarget), `Copy this call as JSON, ${card.path}`),
      ...stepActions(ctx, card.path, `this call, ${card.path}`),
    ),
    state.word ? el(`span.state.${state.tone}`, { title: state.meaning }, state.word) : null,
  );
  const rows = [
    !inline && argumentsRow(ctx, at, `${n}.arguments`, from),
    ...(receipt ? receiptRows(ctx, at, n, card) : [missingReceiptRow(ctx, toolCall)]),
    toolCall && answerRow(ctx, at, n, card),
    toolCall?.extra && row("more", fold(ctx, at, `${n}.extra`, "other fields of the call", () => payloadBlock(ctx, at, `${n}.extra`, { json: toolCall.extra }))),
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

/** Returns what can be done with a step: its address, and its part in the review. */
function stepActions(ctx, path, name) {
  return [
    linkButton("Link", (event) => ctx.link(path, event.currentTarget), `Link to ${name}`),
    ctx.decisive === path ? null : linkButton("Decisive", () => ctx.decide(path), `Make ${name} the decisive step`),
  ];
}

function decisiveMark(ctx, path) {
  return ctx.decisive === path ? el("span.decisive", { title: "the step that decided the run, by its review" }, "⚑ decisive step") : null;
}

function row(label, ...content) {
  return el("div.row", null, el("div.label", null, label), el("div.value", null, content));
}

/** Returns whether the arguments of a call fit beside its name. */
function areInline(call) {
  if (call.arguments === undefined || call.undecoded || call.arguments.length > INLINE_ARGUMENTS) return false;
  return layOutJson(call.arguments, true).length <= INLINE_ARGUMENTS;
}

const UNDECODED = {
  text: "not decoded: this is the exact text that the model wrote",
  value: "not an object",
};

function argumentsRow(ctx, at, key, call, label = "arguments") {
  if (call.arguments === undefined) return row(label, el("span.absent", null, "none"));
  const why = call.undecoded && el("div.warn", null, UNDECODED[call.undecoded]);
  if (call.arguments === "") return row(label, why, el("span.absent", null, "empty text"));
  return row(label, why, argumentsBlock(ctx, at, key, call));
}

function argumentsBlock(ctx, at, key, call) {
  if (call.undecoded === "text") return textBlock(ctx, at, key, call.arguments, { mono: true, fold: FOLD.payload });
  return jsonBlock(ctx, at, key, call.arguments);
}

function missingReceiptRow(ctx, toolCall) {
  if (!ctx.model.data.has_log) return null;
  return row("receipt", isMissing(toolCall) ? el("span.bad", null, "none: the log has no such call") : el("span.soft", null, "not linked to the log"));
}

function receiptRows(ctx, at, n, card) {
  const { receipt, attempts, toolCall } = card;
  const key = `${n}.${receipt.sequence}`;
  return [
    attempts.length > 1 && row("attempts", attemptsLine(ctx, at, n, card)),
    row(
      toolCall ? "receipt" : "answered",
      el("div.facts", null, callFacts(ctx, at, n, card, receipt)),
      card.chain.repeats !== undefined && repeatLine(ctx, card),
      moreOfCall(ctx, at, key, receipt),
    ),
    toolCall?.arguments !== undefined && receipt.arguments !== undefined && argumentsRow(ctx, at, `${key}.arguments`, receipt, "logged as"),
    (receipt.error_class || receipt.error) && errorRow(ctx, at, key, receipt),
    receipt.response && row("response", payloadBlock(ctx, at, `${key}.response`, receipt.response)),
  ];
}

/** Returns the other fields of the log, folded: the validation and the fields that the contract does not name. */
function moreOfCall(ctx, at, key, call) {
  const parts = ["validation", "extra"].filter((field) => call[field]);
  if (!parts.length) return null;
  const title = parts.map((field) => ({ validation: "validation", extra: "other fields of the log" })[field]).join(", ");
  return fold(ctx, at, `${key}.more`, title, () =>
    parts.map((field) => payloadBlock(ctx, at, `${key}.${field}`, { json: call[field] })),
  );
}

/** Who answered, how, how long, as short facts with a dot between. */
function callFacts(ctx, at, n, card, call) {
  const { no_source: noSource, unknown_source: unknownSource, stale_token: staleToken } = WORDS.call;
  const facts = [
    el("span.soft", null, `call ${call.sequence}`),
    call.source === undefined
      ? el("span.soft", { title: noSource.meaning }, noSource.word)
      : el("code", { title: (WORDS.source[call.source] ?? unknownSource).meaning }, visible(call.source)),
    call.latency_ms === undefined ? el("span.soft", null, "time not logged") : el("span", null, duration(call.latency_ms)),
    call.status !== undefined && el("span", null, `status ${call.status}`),
    call.rule !== undefined && el("span.injected", null, `rule ${call.rule}`),
    call.stale && el(`span.${staleToken.tone}`, { title: staleToken.meaning }, staleToken.word),
    call.lane && el("span.soft", null, `${call.lane} lane`),
    (call === card.receipt || call.actor !== card.receipt.actor) && actorFact(ctx, at, n, call),
    !call.response && !call.error && card.toolCall === null && el("span.absent", null, "response null"),
  ].filter(Boolean);
  return facts.flatMap((fact, n) => (n ? [el("i.dot", null, " · "), fact] : [fact]));
}

function actorFact(ctx, at, n, call) {
  if (call.actor === undefined) return ctx.model.attributed ? el("span.soft", null, "by no named actor") : null;
  const state = WORDS.actor[call.actor_status];
  const suggestion = ctx.model.suggestions.get(call.actor);
  return el(
    "span",
    null,
    el("span.soft", null, "by "),
    literal(ctx, at, `${n}.${call.sequence}.actor`, call.actor),
    el(`span.${state.tone}`, { title: state.meaning }, ` ${state.word}`),
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
  const agreement = WORDS.agreement[card.toolCall.agreement];
  const link = linkButton(`message ${answer.index}`, () => ctx.jump(messagePath(answer.index)));
  return row(
    "the model saw",
    contentBlocks(ctx, at, `${n}.given.`, answer, { fold: FOLD.payload, path: `message ${answer.index}` }),
    el("div.foot", null, link, answer.is_error && el("span.bad", null, "marked as an error"), agreement && el(`span.${agreement.tone}`, { title: agreement.meaning }, agreement.word)),
  );
}

const BAR_WIDTH = 220;
const SEGMENT = 6;

/** Returns widths in pixels for attempts and waits: by time where all times are known, else even. */
function barWidths(attempts, waits) {
  const times = attempts.flatMap((call, n) => (n ? [waits[n - 1] ?? null, call.latency_ms ?? null] : [call.latency_ms ?? null]));
  const total = times.reduce((sum, time) => sum + (time ?? 0), 0);
  const isTimed = total > 0 && times.every((time) => time !== null);
  return times.map((time) => (isTimed ? Math.max(SEGMENT, Math.round((time / total) * BAR_WIDTH)) : SEGMENT * 3));
}

/** Returns the waits between the attempts of a card: how long, the policy's window, and whether the wait is outside of it. */
function listWaits({ attempts, chain, start }) {
  return attempts.slice(1).map((_, n) => ({
    ms: chain.waits_ms?.[start + n] ?? null,
    window: chain.windows_ms?.[start + n] ?? null,
    off: chain.off_policy?.includes(start + n) ?? false,
  }));
}

/** `after 3.2 s, off policy: 375 ms to 625 ms`. */
function waitText({ ms, window, off }) {
  const after = ms === null ? "wait unknown" : `after ${duration(ms)}`;
  if (window === null || ms === null) return el("span.soft", null, after);
  const allowed = `${duration(window[0])} to ${duration(window[1])}`;
  if (off) return el("span.warn", null, `${after}, off policy: ${allowed}`);
  return el("span.soft", { title: `the policy waits ${allowed}` }, after);
}

function attemptsLine(ctx, at, n, card) {
  const { attempts, chain } = card;
  const waits = listWaits(card);
  const widths = barWidths(attempts, waits.map((wait) => wait.ms));
  const bar = el("span.bar", { "aria-hidden": "true" });
  attempts.forEach((call, index) => {
    if (index) bar.append(el(waits[index - 1].off ? "i.wait.off" : "i.wait", { style: `width:${widths[2 * index - 1]}px` }));
    bar.append(el(`i.try.${WORDS.outcome[call.outcome].tone}`, { style: `width:${widths[2 * index]}px` }));
  });
  const classes = new Map();
  for (const { error_class: name } of attempts) if (name) classes.set(name, (classes.get(name) ?? 0) + 1);
  const classNames = [...classes].map(([name, times]) => (times > 1 ? `${visible(name)} ×${times}` : visible(name)));
  const lost = card.whole && chain.wasted_ms > 0 ? [`${duration(chain.wasted_ms)} lost`] : [];
  const off = waits.filter((wait) => wait.off).length;
  const offPolicy = off ? [`${plural(off, "wait")} off policy`] : [];
  const title = [plural(attempts.length, "attempt"), ...classNames, ...lost, ...offPolicy].join(" · ");
  return [bar, fold(ctx, at, `${n}.attempts`, title, () => attempts.map((call, index) => attemptLine(ctx, at, n, card, call, index, waits)))];
}

function attemptLine(ctx, at, n, card, call, index, waits) {
  const state = WORDS.outcome[call.outcome];
  const key = `${n}.${call.sequence}`;
  const last = call === card.receipt;
  return el(
    `div.attempt${ctx.view.attempt === call.sequence ? ".selected" : ""}`,
    { "data-attempt": call.sequence },
    el("div.facts", null, el("b", null, `${index + 1}`), " ", el(`span.${state.tone}`, null, state.word), el("i.dot", null, " · "), index ? [waitText(waits[index - 1]), el("i.dot", null, " · ")] : null, callFacts(ctx, at, n, card, call)),
    last || !call.error_class ? null : literal(ctx, at, `${key}.class`, call.error_class, "code.bad"),
    last || call.arguments === undefined ? null : argumentsBlock(ctx, at, `${key}.arguments`, call),
    last || !call.error ? null : payloadBlock(ctx, at, `${key}.error`, call.error),
    last || !call.response ? null : payloadBlock(ctx, at, `${key}.response`, call.response),
    last ? null : moreOfCall(ctx, at, key, call),
  );
}
