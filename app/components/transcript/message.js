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
    `article.item.item-${item.type}${selected ? ".selected" : ""}${ctx.model.cardAnswered(item) ? ".brief" : ""}`,
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
  if (item.type === "message" || item.type === "dropped") return `messages[${item.index}]`;
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
  if (ctx.model.cardAnswered(item)) return renderAnswerLine(ctx, at, item);
  const folding = item.role === "system" ? FOLD.system : FOLD.text;
  return [
    whoLine(ctx, at, item),
    thinkingFold(ctx, at, item),
    contentBlocks(ctx, at, "", item, folding),
    (item.calls ?? []).map((_, n) => callCard(ctx, at, n)),
    messageFolds(ctx, at, item),
    noteLines(item.notes),
  ];
}

function whoLine(ctx, at, item) {
  const path = `messages[${item.index}]`;
  const id = `${at}/json`;
  const showJson = () => {
    if (ctx.view.open.has(id)) ctx.view.open.delete(id);
    else ctx.view.open.add(id);
    ctx.refresh(at);
  };
  return el(
    "div.who",
    null,
    el("b", null, item.role),
    el("span.index", null, item.index),
    item.name && literal(ctx, at, "name", item.name),
    el(
      "span.actions",
      null,
      linkButton("Copy", (event) => copyText(copyOf(item), event.currentTarget), `Copy the text of message ${item.index}`),
      keyed(linkButton(ctx.view.open.has(id) ? "Hide JSON" : "JSON", showJson, `Message ${item.index} as JSON`), id),
      linkButton("Link", () => ctx.select(path), `Link to message ${item.index}`),
    ),
  );
}

/** What a message says, for the clipboard: its text, or the texts of its parts; else all of it as JSON. */
function copyOf(item) {
  if (item.content) return item.content;
  const texts = (item.parts ?? []).map(readPart).flatMap((part) => part.text ?? []);
  return texts.length ? texts.join("\n") : messageJson(item);
}

/** A tool message that its card shows in full: one line, so that its index has a place. */
function renderAnswerLine(ctx, at, item) {
  const card = ctx.model.cardAnswered(item);
  const [message] = item.answers;
  return [
    el(
      "div.who.answer",
      null,
      el("b", null, "tool"),
      el("span.index", null, item.index),
      el("span.soft", null, "answers "),
      linkButton(`${visible(card.asked.name)} in message ${message}`, () => ctx.jump(card.path)),
    ),
    thinkingFold(ctx, at, item),
    messageFolds(ctx, at, item),
    noteLines(item.notes),
  ];
}

function thinkingFold(ctx, at, item) {
  if (!item.thinking) return null;
  const parts = item.thinking.map(readThinking);
  const size = parts.reduce((sum, part) => sum + characters(part.text), 0);
  return fold(ctx, at, "thinking", `thinking · ${count(size)} characters`, () =>
    parts.map((part, n) => [
      textBlock(ctx, at, `thinking${n}`, part.text),
      part.rest && textBlock(ctx, at, `thinking${n}.rest`, part.rest, { mono: true, fold: FOLD.payload }),
    ]),
  );
}

function messageFolds(ctx, at, item) {
  return [
    item.more && fold(ctx, at, "extra", "other fields", () => payloadBlock(ctx, at, "extra", { json: item.extra })),
    ctx.view.open.has(`${at}/json`) && el("div.unfolded", null, textBlock(ctx, at, "json", messageJson(item), { mono: true })),
  ];
}

function renderDropped(ctx, at, item) {
  const opener = item.entry === undefined ? null : ctx.view.open.has(`${at}/entry`) ? "Hide it" : "Show it";
  const toggle = () => {
    if (opener === "Hide it") ctx.view.open.delete(`${at}/entry`);
    else ctx.view.open.add(`${at}/entry`);
    ctx.refresh(at);
  };
  return el(
    "div.drop",
    null,
    el("span", { dir: "auto" }, `Message ${item.index} was dropped: ${visible(item.reason)}. `.replace(/\.\. $/, ". ")),
    opener && keyed(linkButton(opener, toggle, `${opener}: the original entry ${item.index}`), `${at}/entry`),
    opener === "Hide it" && textBlock(ctx, at, "entry", item.entry, { mono: true }),
  );
}

/** A chain of the log without a tool call of the transcript; where there is no transcript, that goes without saying. */
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
  const said = item.export_warnings;
  return el(
    "div.thin",
    null,
    el("b", null, "Thin run. "),
    el("span", { dir: "auto" }, visible(item.reason)),
    said.length ? el("div.soft", null, "The export says:") : null,
    said.map((text, n) => textBlock(ctx, at, `said${n}`, text)),
  );
}

const NO_ANSWER = { ResponseShapeError: "the body carried no final response" };

function renderFinal(ctx, at, item) {
  const why = NO_ANSWER[item.response_error];
  return [
    el("div.who", null, el("b", null, "final answer"), item.response_error ? null : el("span.soft", null, "as the judge saw it")),
    item.response_error &&
      el("div.bad", null, "No answer: ", el("code", null, visible(item.response_error)), why ? `, ${why}` : ""),
    item.same_as !== undefined &&
      el("div.soft", null, "the text of ", linkButton(`message ${item.same_as}`, () => ctx.jump(`messages[${item.same_as}]`)), ", unchanged"),
    item.text !== undefined && textBlock(ctx, at, "text", item.text, { facts: item.facts }),
    item.cut !== undefined && el("div.note.warning", null, el("b", null, "cut"), ` ${cutWords(item.cut)}`),
    item.error_class && el("div.bad", null, "run failed: ", el("code", null, visible(item.error_class))),
    item.error && payloadBlock(ctx, at, "error", item.error),
    item.failed && !item.error_class && !item.response_error && item.status
      ? el("div.bad", null, "run status: ", el("code", null, visible(item.status)))
      : null,
    noteLines(item.notes),
  ];
}

function cutWords(cut) {
  if (cut === null) return "by the platform, before the export: the rest is not in the file";
  return `after 50,000 characters: ${plural(cut, "character")} more stood in the body, and the judge did not see them`;
}
