// Items of the transcript as elements: messages, placeholders, the log's own calls, the reason for a thin run, the end.

const RENDERERS = {
  message: renderMessage,
  dropped: renderDropped,
  log: renderLog,
  heading: renderHeading,
  thin: renderThin,
  final: renderFinal,
};

function renderItem(ctx, at) {
  const item = ctx.model.items[at];
  const path = itemPath(ctx.model, at);
  const selected = path !== null && ctx.view.selected === path;
  return el(
    `article.item.item-${item.type}${selected ? ".selected" : ""}${item.type === "message" && ctx.model.isBrief(item) ? ".brief" : ""}`,
    {
      "data-at": at,
      "data-path": path,
      "aria-label": itemLabel(ctx.model, at),
      "aria-posinset": at + 1,
      "aria-setsize": ctx.model.items.length,
    },
    RENDERERS[item.type](ctx, at, item),
  );
}

function itemPath(model, at) {
  const item = model.items[at];
  if (item.type === "message" || item.type === "dropped") return messagePath(item.index);
  if (item.type === "log") return model.cards[at][0].path;
  return item.type === "final" ? "final_response" : null;
}

function itemLabel(model, at) {
  const item = model.items[at];
  const labels = {
    message: () => `message ${item.index}, ${item.role}${item.name ? `, ${visible(item.name)}` : ""}`,
    dropped: () => `message ${item.index}, dropped`,
    log: () => `logged call ${model.cards[at][0].receipt.sequence}`,
    heading: () => "the proxy log",
    thin: () => "thin run",
    final: () => "final answer",
  };
  return labels[item.type]();
}

function renderMessage(ctx, at, item) {
  if (ctx.model.answeredCard(item)) return renderAnswerLine(ctx, at, item);
  const folding = item.role === "system" ? FOLD.system : FOLD.text;
  const raw = isRaw(ctx, at);
  const inParts = new Set(Object.values(item.part_calls ?? {}));
  return [
    whoLine(ctx, at, item),
    raw ? rawBlock(ctx, at, item) : [thinkingLine(ctx, at, item), contentBlocks(ctx, at, "", item, { fold: folding, prose: item.role !== "tool", path: `message ${item.index}` })],
    (item.calls ?? []).map((call, n) => (raw || !inParts.has(call.index) ? callCard(ctx, at, n) : null)),
    raw ? null : messageFolds(ctx, at, item),
    noteLines(ctx, at, "", item.notes),
  ];
}

/** Returns whether the item shows what stood in the document; find shows what it finds, where it finds it. */
function isRaw(ctx, at) {
  return ctx.views.of(at) === "raw" && !ctx.find.items.has(at);
}

/** Returns the message as it stood in the document, or, where that is not at hand, as it was read. */
function rawBlock(ctx, at, item) {
  const original = ctx.views.originals.request(at, messagePath(item.index));
  return el("div.unfolded", null, textBlock(ctx, at, "json", original ? shownJson(original) : messageJson(item), { mono: true }));
}

function whoLine(ctx, at, item) {
  const path = messagePath(item.index);
  return el(
    "div.who",
    null,
    el("b", null, item.role),
    el("span.index", null, item.index),
    item.name && literal(ctx, at, "name", item.name),
    decisiveMark(ctx, path),
    el(
      "span.actions",
      null,
      linkButton("Copy", (event) => ctx.copy(copyOf(item), event.currentTarget), `Copy the text of message ${item.index}`),
      messageView(ctx, at, item),
      ...stepActions(ctx, path, `message ${item.index}`),
    ),
  );
}

function messageView(ctx, at, item) {
  const choose = (view) => {
    ctx.views.choose(at, view);
    ctx.refresh(at);
  };
  return viewChoice(`View of message ${item.index}`, ctx.views.of(at), choose, `${at}/view`);
}

/** Returns what a message says, for the clipboard: its text, or the texts of its parts; else all of it as JSON. */
function copyOf(item) {
  if (item.content) return item.content;
  const texts = partsOf(item).flatMap((part) => (part.is === "text" ? part.text : []));
  return texts.length ? texts.join("\n") : messageJson(item);
}

/** Returns the one line of a tool message that its card shows in full, so that its index is found. */
function renderAnswerLine(ctx, at, item) {
  const card = ctx.model.answeredCard(item);
  const [message] = item.answers;
  return [
    el(
      "div.who.answer",
      null,
      el("b", null, "tool"),
      el("span.index", null, item.index),
      el("span.soft", null, "answers "),
      linkButton(`${visible(card.toolCall.name)} in message ${message}`, () => ctx.jump(card.path)),
      decisiveMark(ctx, messagePath(item.index)),
      el("span.actions", null, messageView(ctx, at, item), ...stepActions(ctx, messagePath(item.index), `message ${item.index}`)),
    ),
    isRaw(ctx, at) ? rawBlock(ctx, at, item) : [thinkingLine(ctx, at, item), messageFolds(ctx, at, item)],
    noteLines(ctx, at, "", item.notes),
  ];
}

function thinkingLine(ctx, at, item) {
  return item.thinking ? thinkingFold(ctx, at, "thinking", thinkingOf(item)) : null;
}

function messageFolds(ctx, at, item) {
  return item.more && fold(ctx, at, "extra", "other fields", () => payloadBlock(ctx, at, "extra", { json: item.extra }));
}

function renderDropped(ctx, at, item) {
  const isOpen = ctx.view.open.has(`${at}/entry`);
  const opener = isOpen ? "Hide it" : "Show it";
  const toggle = () => {
    if (isOpen) ctx.view.open.delete(`${at}/entry`);
    else ctx.view.open.add(`${at}/entry`);
    ctx.refresh(at);
  };
  return el(
    "div.drop",
    null,
    el("span", { dir: "auto" }, `Message ${item.index} was dropped: `, quote(ctx, at, "reason", item.reason), /\.$/.test(item.reason) ? " " : ". "),
    item.entry !== undefined && keyed(linkButton(opener, toggle, `${opener}: the original entry ${item.index}`), `${at}/entry`),
    isOpen && textBlock(ctx, at, "entry", item.entry, { mono: !looksLikeJson(item.entry) }),
    noteLines(ctx, at, "", item.notes),
  );
}

/** Returns a chain of the log without a tool call of the transcript; without a transcript it needs no such heading. */
function renderLog(ctx, at, item) {
  const { sequence } = ctx.model.cards[at][0].receipt;
  const where = item.apart || ctx.model.thin ? null : "in the log, not in the transcript";
  return [
    where && el("div.who", null, el("b", null, "log"), el("span.index", null, `call ${sequence}`), el("span.soft", null, where)),
    callCard(ctx, at, 0),
  ];
}

function renderHeading(ctx, at, item) {
  const closed = ctx.model.items[at + 1].apart && !ctx.view.logOpen;
  const attempts = item.call_count === item.chain_count ? "" : ` in ${plural(item.chain_count, "chain")}`;
  const title = ctx.model.items[at + 1].apart
    ? `In the log, not linked to the transcript: ${plural(item.call_count, "call")}${attempts}`
    : `The log: ${plural(item.call_count, "call")}${attempts}`;
  if (!ctx.model.items[at + 1].apart) return el("h3", null, title);
  const toggle = () => ctx.openLog(closed);
  return keyed(el("button.fold.section", { type: "button", "aria-expanded": String(!closed), onclick: toggle }, title), "log");
}

function renderThin(ctx, at, item) {
  const warnings = item.export_warnings;
  return el(
    "div.thin",
    null,
    el("b", null, "Thin run. "),
    quote(ctx, at, "reason", item.reason),
    warnings.length ? el("div.soft", null, "The export says:") : null,
    warnings.map((text, n) => textBlock(ctx, at, `export${n}`, text)),
  );
}

const NO_ANSWER = { ResponseShapeError: "the body carried no final response" };

function renderFinal(ctx, at, item) {
  const why = NO_ANSWER[item.response_error];
  return [
    el(
      "div.who",
      null,
      el("b", null, "final answer"),
      item.response_error ? null : el("span.soft", null, "as the judge saw it"),
      decisiveMark(ctx, "final_response"),
      el(
        "span.actions",
        null,
        item.text !== undefined && linkButton("Copy", (event) => ctx.copy(item.text, event.currentTarget), "Copy the final answer"),
        ...stepActions(ctx, "final_response", "the final answer"),
      ),
    ),
    item.response_error &&
      el("div.bad", null, "No answer: ", literal(ctx, at, "response_error", item.response_error), why ? `, ${why}` : ""),
    item.same_as !== undefined &&
      el("div.soft", null, "the text of ", linkButton(`message ${item.same_as}`, () => ctx.jump(messagePath(item.same_as))), ", unchanged"),
    item.text !== undefined && textBlock(ctx, at, "text", item.text, { facts: item.facts, prose: true }),
    item.cut !== undefined && el("div.note.warning", null, el("b", null, "cut"), ` ${cutWords(item.cut)}`),
    item.error_class && el("div.bad", null, "run failed: ", literal(ctx, at, "class", item.error_class)),
    item.error && payloadBlock(ctx, at, "error", item.error),
    item.failed && !item.error_class && !item.response_error && item.status
      ? el("div.bad", null, "run status: ", el("code", null, visible(item.status)))
      : null,
    noteLines(ctx, at, "", item.notes),
  ];
}

function cutWords(cut) {
  if (cut === null) return "by the platform, before the export: the rest is not in the file";
  return `after 50,000 characters: ${plural(cut, "character")} more stood in the body, and the judge did not see them`;
}
