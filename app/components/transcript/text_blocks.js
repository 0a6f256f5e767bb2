// Blocks of text: literal, as Markdown, as a tree of JSON. Of a long text only a window is in the document: its start, what
// the reader has asked for, or what is around a match. What is not shown is always counted.

const FOLD = {
  text: { characters: 4000, lines: 60 },
  system: { characters: 600, lines: 8 },
  payload: { characters: 1500, lines: 14 },
  line: { characters: 80, lines: 1 },
};
const HUGE = 1_000_000; // characters; such a text opens with its first lines alone
const HUGE_FOLD = { characters: 2000, lines: 20 };
const PAGE_LENGTH = 100_000; // characters that are shown at once
const MOST_SHOWN = 400_000; // more text than this at once would hold up the page
const AROUND_MATCH = 1000; // characters before and after a match far down a text
const AFTER_MATCH = 300;
const LINE_PX = 21; // height of a line
const LONGEST_LINE = 300; // characters; a window begins at the start of a line that is no longer

/** Returns how much of a text is shown at first. */
function foldedLength(text, fold) {
  const { characters: most, lines } = text.length > HUGE ? HUGE_FOLD : fold;
  let length = Math.min(text.length, most);
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1 || at >= length) break;
    if (line === lines - 1) length = at;
  }
  // Folding away a few characters would cost more than it saves.
  return text.length - length < most / 4 && length === most ? text.length : wholeCharacters(text, length);
}

/**
 * A block of text of item `at`. `key` names it among the item's sections, for find and for its folding; `fold` is one of
 * FOLD; `mono` is for code, which is always literal; `prose` for texts that are shown as Markdown where they are; `facts`
 * are those of a final answer, with their places in it.
 */
function textBlock(ctx, at, key, text, { fold = FOLD.text, mono = false, prose = false, facts = [] } = {}) {
  const id = `${at}/${key}`;
  const marks = ctx.find.marksOf(at, key);
  const view = mono ? "exact" : ctx.views.of(at);
  const kind = ctx.model.kindOf(id, text);
  const isTree = kind === "json" && (view === "formatted") !== ctx.view.turned.has(id);
  if (isTree) return jsonBlock(ctx, at, key, text, { facts, isText: true });
  const isMarkdown = view === "markdown" || (view === "formatted" && prose && kind === "markdown");
  const html = isMarkdown && !marks ? ctx.views.markup.request(at, text) : undefined;
  if (typeof html === "string") return markdownBlock(ctx, at, key, text, html, { fold, facts });
  const { from, to } = windowOf(ctx, id, text, fold, marks);
  const body = el(mono || kind === "json" ? "div.txt.mono" : "div.txt", { dir: "auto" });
  fillMarked(body, text, from, to, marks?.ranges ?? [], marks?.current ?? -1);
  const shift = ({ start, end, ...fact }) => ({ ...fact, start: start - from, end: end - from });
  markFacts(body, facts.filter(({ start }) => start >= from).map(shift), ...factWays(ctx));
  isolateWords(body);
  const why = html === null ? "too long or too intricate for Markdown: this is the exact text" : isMarkdown && marks ? "exact, while find has a match in it" : null;
  return [from ? beforeFoot(ctx, at, id, text, { from, to }) : null, body, textFoot(ctx, at, id, text, { from, to, fold, why, isJson: kind === "json" && !mono })];
}

function factWays(ctx) {
  return [(path) => ctx.jump(path), (path) => ctx.model.locate(path) !== null];
}

/** Returns a text as Markdown; its links are text, and so are its pictures. A long one shows as much as its exact text would. */
function markdownBlock(ctx, at, key, text, html, { fold, facts }) {
  const id = `${at}/${key}`;
  const isLong = foldedLength(text, fold) < text.length;
  const open = !isLong || ctx.view.open.has(`${id}/markdown`);
  const body = el("div.txt.markdown", { dir: "auto", style: open ? null : `max-height:${fold.lines * LINE_PX}px` });
  if (!open) body.classList.add("clipped");
  fillMarkdown(body, html);
  markFacts(body, facts, ...factWays(ctx), text);
  isolateWords(body);
  if (!isLong) return body;
  const turn = () => {
    if (!ctx.view.open.delete(`${id}/markdown`)) ctx.view.open.add(`${id}/markdown`);
    ctx.refresh(at);
  };
  const button = keyed(linkButton(open ? "Show less" : "Show all", turn), `${id}/markdown`);
  return [body, el("div.foot", null, el("span", null, `${open ? "all" : "the start of"} ${ctx.model.sizeOf(id, text)}`), button, linkButton("Copy", (event) => ctx.copy(text, event.currentTarget)))];
}

/** Returns a payload: a string as its text, anything else as JSON. */
function payloadBlock(ctx, at, key, block) {
  if (block.text !== undefined) return textBlock(ctx, at, key, block.text, { fold: FOLD.payload });
  return jsonBlock(ctx, at, key, block.json);
}

const LONG_JSON = 400; // characters of a tree that has its size and its copy below it

/** Returns JSON as a tree, below a long one its size, its copy, and, where it is a text, the way to that. `isLine` puts a short one
 * on the line of what stands before it. */
function jsonBlock(ctx, at, key, text, { facts = [], isText = false, isLine = false } = {}) {
  const id = `${at}/${key}`;
  let state = ctx.view.trees.get(id);
  if (state?.text !== text) ctx.view.trees.set(id, (state = new TreeState(text)));
  const marks = ctx.find.marksOf(at, key);
  const body = jsonTree(state, { id, marks, redraw: () => ctx.refresh(at) });
  body.classList.add(isLine ? "inline" : "txt");
  markFacts(body, facts, ...factWays(ctx), text);
  if (text.length <= LONG_JSON) return body;
  const foot = el("div.foot", null, el("span", null, ctx.model.sizeOf(id, text)), isText && layoutTurn(ctx, at, id), linkButton("Copy", (event) => ctx.copy(text, event.currentTarget)));
  return [body, foot];
}

function layoutTurn(ctx, at, id) {
  const isTree = (ctx.views.of(at) === "formatted") !== ctx.view.turned.has(id);
  const turn = () => {
    if (!ctx.view.turned.delete(id)) ctx.view.turned.add(id);
    ctx.refresh(at);
  };
  return keyed(linkButton(isTree ? "Show exact text" : "Lay out JSON", turn), `${id}/format`);
}

/** Returns which part of a text is shown: what the reader has asked for, else what is around the match that they are at, else
 * the start. */
function windowOf(ctx, id, text, fold, marks) {
  const kept = ctx.view.windows.get(id);
  const start = { from: 0, to: foldedLength(text, fold) };
  const match = marks?.ranges[marks.current];
  if (kept || !match || match.end <= start.to) return kept ?? start;
  const isNear = match.end <= start.to + PAGE_LENGTH;
  const from = isNear ? 0 : lineStart(text, match.start - AROUND_MATCH);
  return { from, to: wholeCharacters(text, Math.min(text.length, match.end + (isNear ? AFTER_MATCH : AROUND_MATCH))) };
}

/** Lets a match show that the reader goes to: what they have asked for or folded in its text gives way where it hides the match. */
function uncover(ctx, at, key, { start, end }) {
  const id = `${at}/${key}`;
  const kept = ctx.view.windows.get(id);
  if (kept && (start < kept.from || end > kept.to)) ctx.view.windows.delete(id);
  ctx.view.trees.get(id)?.unfoldAll();
}

/** Returns the start of the line that stands around `at`, unless it is far. */
function lineStart(text, at) {
  if (at <= 0) return 0;
  const before = Math.max(0, at - LONGEST_LINE);
  const end = text.slice(before, at).lastIndexOf("\n");
  return end < 0 ? wholeCharacters(text, at) : before + end + 1;
}

/** Returns a button that shows another part of a text; a `page` is read from its top. */
function windowButton(ctx, at, id, text, words, [from, to], page = false) {
  const show = () => {
    const whole = { from: lineStart(text, from), to: wholeCharacters(text, Math.min(text.length, to)) };
    ctx.view.windows.set(id, whole);
    ctx.refresh(at);
    if (page) ctx.goTo(at);
  };
  return keyed(linkButton(words, show), `${id}/${words.split(" ", 2).join(" ")}`);
}

/** Returns what stands before a window, and how to see it. */
function beforeFoot(ctx, at, id, text, { from, to }) {
  const length = Math.min(PAGE_LENGTH, from);
  const button = (words, range, page) => windowButton(ctx, at, id, text, words, range, page);
  return el(
    "div.foot",
    null,
    el("span", null, `… ${amount(from)} before this`),
    to - from + length <= MOST_SHOWN && button(`Show ${count(length)} before`, [from - length, to]),
    to - from >= length && button(`Previous ${count(length)}`, [from - length, from], true),
    button("Read from the start", [0, PAGE_LENGTH], true),
  );
}

/** Returns what is hidden behind a window and how to see it; for long texts also their copy and their layout. */
function textFoot(ctx, at, id, text, { from, to, fold, why, isJson }) {
  const button = (words, range, page) => windowButton(ctx, at, id, text, words, range, page);
  const rest = text.length - to;
  const parts = why ? [el("span", null, why)] : [];
  if (rest > 0) {
    const length = Math.min(PAGE_LENGTH, rest);
    parts.push(el("span", null, from ? `… ${amount(rest)} behind this, of ${ctx.model.sizeOf(id, text)}` : `showing ${text.length > HUGE ? amount(to) : count(characters(text.slice(0, to)))} of ${ctx.model.sizeOf(id, text)}`));
    if (to - from + length <= MOST_SHOWN && rest > length) parts.push(button(`Show ${count(length)} more`, [from, to + length]));
    if (text.length > MOST_SHOWN && to - from >= length) parts.push(button(`Next ${count(length)}`, [to, to + length], true));
    if (text.length <= MOST_SHOWN) parts.push(button("Show all", [0, text.length]));
    else if (to - from < length) parts.push(button(`Read all in ${count(Math.ceil(text.length / PAGE_LENGTH))} pages`, [0, PAGE_LENGTH], true));
    if (text.length > MOST_SHOWN) parts.push(button("Last page", [text.length - PAGE_LENGTH, text.length], true));
  } else if (text.length > foldedLength(text, fold)) {
    if (!from) parts.push(el("span", null, `all ${ctx.model.sizeOf(id, text)}`));
  }
  if (ctx.view.windows.has(id)) {
    const less = () => {
      ctx.view.windows.delete(id);
      ctx.refresh(at);
    };
    parts.push(keyed(linkButton("Show less", less), `${id}/less`));
  }
  if (isJson) parts.push(layoutTurn(ctx, at, id));
  if (parts.length) parts.push(linkButton("Copy", (event) => ctx.copy(text, event.currentTarget)));
  return parts.length ? el("div.foot", null, parts) : null;
}

/** `12,340 characters`, and in megabytes where there are many. */
function amount(length) {
  return length > HUGE ? `${decimal(length / 1e6, 1)} million characters` : plural(length, "character");
}

/** `12,340 characters, 180 lines`; `60.0 MB`. */
function sizeWords(text) {
  if (text.length > HUGE) return `${decimal(new Blob([text]).size / 1e6, 1)} MB`;
  const lines = text.split("\n").length;
  return `${plural(characters(text), "character")}${lines > 1 ? `, ${plural(lines, "line")}` : ""}`;
}
