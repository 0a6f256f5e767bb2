// Blocks of literal text: exact, foldable, searchable. What is folded away is always counted.

const FOLD = {
  text: { characters: 4000, lines: 60 },
  system: { characters: 600, lines: 8 },
  payload: { characters: 1500, lines: 14 },
  line: { characters: 80, lines: 1 },
};
const STEP = 200_000; // more text than this at once would hold up the page

/** Returns how much of a text is shown at first. */
function foldedLength(text, { characters: most, lines }) {
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
 * A block of literal text of item `at`. `key` names it among the item's sections, for find and for its folding;
 * `fold` is one of FOLD; `mono` for JSON and other code; `facts` are those of a final answer, with their places in it;
 * `path` is given for texts that can be shown as Markdown. Where find has a match, the text is exact.
 */
function textBlock(ctx, at, key, text, { fold = FOLD.text, mono = false, facts = [], path } = {}) {
  const id = `${at}/${key}`;
  const marks = ctx.find.marksOf(at, key, text);
  const view = ctx.views.of(at);
  const markdown = path && !marks && view === "markdown" ? ctx.views.request(at, `markdown ${path}`) : undefined;
  if (typeof markdown === "string") return markdownBlock(ctx, text, markdown);
  const isJson = looksLikeJson(text);
  const formatted = isJson && !mono && !marks && (view === "json") !== ctx.view.formatted.has(id) ? layOutJson(text) : null;
  const whole = formatted ?? text;
  const wanted = Math.max(ctx.view.shown.get(id) ?? foldedLength(whole, fold), marks?.upTo ?? 0);
  const shown = Math.min(whole.length, wholeCharacters(whole, wanted));
  const body = el(mono || looksLikeJson(text) ? "div.txt.mono" : "div.txt", { dir: "auto" });
  if (!marks && isJson && (mono || formatted !== null)) fillJson(body, whole.slice(0, shown), id, ctx.view.unfolded, (string) => ctx.unfold(at, string));
  else fillLiteral(body, whole.slice(0, shown), marks?.pattern, marks?.current ?? -1);
  // Laid out anew, a text has other places.
  if (formatted === null) markFacts(body, facts, (path) => ctx.jump(path), (path) => ctx.model.locate(path) !== null);
  isolateWords(body);
  const why = markdown === null ? "too long or too intricate for Markdown: this is the exact text" : marks && view !== "exact" && path ? "exact, while find has a match in it" : null;
  return [body, blockFoot(ctx, at, id, { whole, shown, exact: text, formatted: formatted !== null, isJson, mono, fold, why })];
}

/** Returns a text as Markdown; its links are text, and so are its pictures. */
function markdownBlock(ctx, text, html) {
  const body = el("div.txt.markdown", { dir: "auto" });
  fillMarkdown(body, html);
  isolateWords(body);
  return [body, el("div.foot", null, el("span", null, "as Markdown"), linkButton("Copy exact text", (event) => ctx.copy(text, event.currentTarget)))];
}

/** Returns what is hidden and how to see it; for long payloads also their copy and their layout. */
function blockFoot(ctx, at, id, { whole, shown, exact, formatted, isJson, mono, fold, why }) {
  const change = (apply) => () => {
    apply();
    ctx.refresh(at);
  };
  const show = (length) => change(() => ctx.view.shown.set(id, length));
  const rest = whole.length - shown;
  const parts = why ? [el("span", null, why)] : [];
  if (rest > 0) {
    parts.push(el("span", null, `showing ${count(characters(whole.slice(0, shown)))} of ${sizeWords(whole)}`));
    const next = rest <= STEP ? whole.length : wholeCharacters(whole, shown + STEP);
    parts.push(keyed(linkButton(rest <= STEP ? "Show all" : `Show ${count(STEP)} more`, show(next)), `${id}/more`));
  } else if (whole.length > foldedLength(whole, fold)) {
    parts.push(el("span", null, `all ${sizeWords(whole)}`));
    parts.push(keyed(linkButton("Show less", change(() => ctx.view.shown.delete(id))), `${id}/more`));
  }
  if (exact.length > JSON_WIDTH && isJson && !mono) {
    const toggle = () => (formatted ? ctx.view.formatted.delete(id) : ctx.view.formatted.add(id));
    parts.push(keyed(linkButton(formatted ? "Show exact text" : "Lay out JSON", change(toggle)), `${id}/format`));
  }
  if (parts.length) parts.push(linkButton("Copy", (event) => ctx.copy(exact, event.currentTarget)));
  return parts.length ? el("div.foot", null, parts) : null;
}

/** `12,340 characters, 180 lines`. */
function sizeWords(text) {
  const lines = text.split("\n").length;
  return `${plural(characters(text), "character")}${lines > 1 ? `, ${plural(lines, "line")}` : ""}`;
}

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

/** Returns a payload: a string as its text, anything else as JSON. */
function payloadBlock(ctx, at, key, block) {
  if (block.text !== undefined) return textBlock(ctx, at, key, block.text, { fold: FOLD.payload });
  return textBlock(ctx, at, key, shownJson(block.json), { fold: FOLD.payload, mono: true });
}

/** Returns one literal on a line: a tool, an actor, a class. */
function literal(ctx, at, key, text, selector = "code") {
  const node = el(selector);
  const marks = ctx.find.marksOf(at, key, text);
  fillLiteral(node, text, marks?.pattern, marks?.current ?? -1);
  return node;
}

/** Returns a line that opens what is under it. `content` is called only when it is open. */
function fold(ctx, at, key, title, content) {
  const id = `${at}/${key}`;
  const open = ctx.view.open.has(id);
  const toggle = () => {
    if (open) ctx.view.open.delete(id);
    else ctx.view.open.add(id);
    ctx.refresh(at);
  };
  const button = keyed(el("button.fold", { type: "button", "aria-expanded": String(open), onclick: toggle }, title), id);
  return el("div.folded", null, button, open ? el("div.unfolded", null, content()) : null);
}

/** Returns the content of a message: its text, or its parts one by one. */
function contentBlocks(ctx, at, prefix, message, folding) {
  const path = messagePath(message.index);
  if (message.parts) return message.parts.map((json, n) => partBlock(ctx, at, prefix, n, readPart(json), folding, `${path}.content[${n}]`));
  if (message.content === undefined) return message.calls ? [] : [el("div.absent", null, "no content")];
  if (message.content === "") return [el("div.absent", null, "empty text")];
  const picture = isPicture(message.content) && picturePart(ctx, at, `${prefix}picture`, message.content, `message ${message.index}`);
  return [picture, textBlock(ctx, at, `${prefix}text`, message.content, { fold: picture ? FOLD.line : folding, facts: message.facts, path })];
}

function partBlock(ctx, at, prefix, n, part, folding, path) {
  const label = el("div.label", null, `part ${n + 1}`, part.kind ? ` · ${visible(part.kind)}` : "");
  const body = () => {
    if (part.image) return picturePart(ctx, at, `${prefix}picture${n}`, part.image, `part ${n + 1}`);
    if (part.url !== undefined) return [textBlock(ctx, at, `${prefix}part${n}`, part.url, { mono: true, fold: FOLD.payload }), el("div.absent", null, notShown(part.url))];
    if (part.text !== undefined) return textBlock(ctx, at, `${prefix}part${n}`, part.text, { fold: folding, path });
    return textBlock(ctx, at, `${prefix}part${n}`, part.json, { mono: true, fold: FOLD.payload });
  };
  const rest = part.rest && textBlock(ctx, at, `${prefix}rest${n}`, part.rest, { mono: true, fold: FOLD.payload });
  return el("div.part", null, label, body(), rest);
}

function notShown(url) {
  return /^data:/i.test(url) ? "not shown: only PNG, JPEG, GIF and WebP pictures are, up to 8 million characters" : "not fetched";
}

/** Returns a picture, small until it is chosen. */
function picturePart(ctx, at, key, address, where) {
  const id = `${at}/${key}`;
  const large = ctx.view.open.has(id);
  const turn = () => {
    if (large) ctx.view.open.delete(id);
    else ctx.view.open.add(id);
    ctx.refresh(at);
  };
  const label = `${large ? "Show smaller" : "Enlarge"} the image in ${where}`;
  const image = el(`img.picture${large ? ".large" : ""}`, { src: address, alt: `image in ${where}`, decoding: "async" });
  return keyed(el("button.pictured", { type: "button", title: label, "aria-label": label, "aria-expanded": String(large), onclick: turn }, image), id);
}

/** Returns findings and warnings, in words and by severity. `prefix` names them among the item's sections. */
function noteLines(ctx, at, prefix, notes) {
  return (notes ?? []).map((note, n) =>
    el(`div.note.${note.severity}`, null, literal(ctx, at, `${prefix}title${n}`, note.title, "b"), " ", quote(ctx, at, `${prefix}note${n}`, note.message)),
  );
}

/** Returns a sentence that may quote the run. */
function quote(ctx, at, key, text) {
  const node = literal(ctx, at, key, text, "span");
  node.dir = "auto";
  return node;
}
