// JSON as a tree: coloured tokens, nodes that fold with a count, long arrays page by page, JSON in strings unfolded where it
// stands. Only what is open is built. A value that fits on a line is one line, as it would be written.

const LINE_WIDTH = 88;
const OPEN_LINES = 14; // lines before nodes are folded at first
const OPEN_LENGTH = 1200; // characters of a node that is open at first
const PAGE = { first: 20, more: 100 }; // members or items
const LONG_STRING = { first: 600, more: 20_000 }; // characters
const INDENT = 2;
const JSON_LITERAL = /^(?:true|false|null)$/;

/** What is open in one tree, and what has been counted in its text. One for each text that is shown. */
class TreeState {
  constructor(text) {
    this.text = text;
    this.turned = new Map(); // start of a node → open or not, where the reader has chosen
    this.pages = new Map(); // start of a node → [first, behind the last] of its children that are shown
    this.strings = new Map(); // start of a string → how much of it is shown, or the tree of what it holds
    this.counts = new Map();
    this.lines = new Map(); // start of a short node → how it reads on one line
  }

  /** Forgets which nodes the reader has folded. */
  unfoldAll() {
    for (const [start, open] of this.turned) if (!open) this.turned.delete(start);
  }

  count(start) {
    if (!this.counts.has(start)) this.counts.set(start, eachChild(this.text, start, () => true));
    return this.counts.get(start);
  }
}

/**
 * Returns the element of a tree. `state` is its TreeState, `id` names it among the page's; `marks` is `{ranges, current}`,
 * matches in the text, of which the current one is opened to; `redraw()` is called when the reader has turned a node;
 * `width` is how many characters fit on a line.
 */
function jsonTree(state, { id, marks = null, redraw, width = LINE_WIDTH }) {
  const node = el("div.json.mono", { dir: "ltr" });
  const tree = { state, text: state.text, id, redraw, width, lines: OPEN_LINES, marks: marks?.ranges ?? [], current: marks?.ranges[marks.current] ?? null, now: marks?.current ?? -1 };
  const start = skipBlank(state.text, 0);
  appendValue(tree, node, { key: -1, start, end: valueEnd(state.text, start) }, 0, "");
  return node;
}

/** Appends a member, an item or the whole: as one line, or as a node with lines of its own. */
function appendValue(tree, parent, child, depth, tail, isAlone = true) {
  const { state, text } = tree;
  const isNode = text.charCodeAt(child.start) in OPENS;
  tree.lines--;
  if (!isNode || readsOnOneLine(tree, child, depth)) {
    const line = el("div.json-line");
    appendKey(tree, line, child);
    appendFlat(tree, line, child);
    line.append(tail);
    parent.append(line);
    return;
  }
  const close = text[child.start] === "{" ? "}" : "]";
  const open = isOpen(tree, child, isAlone);
  const line = el("div.json-line");
  line.append(foldButton(tree, child, open));
  appendKey(tree, line, child);
  parent.append(line);
  if (!open) {
    const found = tree.marks.filter(({ start, end }) => start < child.end && end > child.start).length;
    line.append(el("span.json-rest", null, `${text[child.start]}…${close}`), tail, el("span.json-count", null, ` ${countWords(state, child.start, close)}`));
    if (found) line.append(el("mark", null, plural(found, "match", "es")));
    return;
  }
  line.append(text[child.start]);
  appendChildren(tree, parent, child, depth);
  parent.append(el("div.json-line", null, close, tail));
}

function countWords(state, start, close) {
  return plural(state.count(start), close === "}" ? "key" : "item");
}

/** Returns whether a node is open: as the reader has chosen, for a match, or else where it is short or stands alone. */
function isOpen(tree, { start, end }, isAlone) {
  const { current } = tree;
  const holdsMatch = current !== null && current.start < end && current.end > start;
  return tree.state.turned.get(start) ?? (holdsMatch || (tree.lines > 0 && (isAlone || end - start <= OPEN_LENGTH)));
}

function appendChildren(tree, parent, child, depth) {
  const { state } = tree;
  const total = state.count(child.start);
  const [from, to] = pageOf(tree, child, total);
  const inner = el("div.json-children");
  const step = (first, last) => () => {
    state.pages.set(child.start, [Math.max(0, first), Math.min(total, last)]);
    tree.redraw();
  };
  const button = (words, name, go) => {
    const node = linkButton(words, go);
    node.dataset.key = `${tree.id}@${child.start}/${name}`;
    return node;
  };
  if (from) inner.append(el("div.json-line.json-more", null, `… ${plural(from, "earlier one")} `, button(`Show ${count(Math.min(PAGE.more, from))} before`, "before", step(from - PAGE.more, to))));
  eachChild(tree.text, child.start, (one, n) => {
    if (n >= from) appendValue(tree, inner, one, depth + 1, n < total - 1 ? "," : "", total === 1);
    return n < to - 1;
  });
  const rest = total - to;
  if (rest) inner.append(el("div.json-line.json-more", null, `… ${count(rest)} more of ${countWords(state, child.start, tree.text[child.start] === "{" ? "}" : "]")} `, button(`Show ${count(Math.min(PAGE.more, rest))} more`, "more", step(from, to + PAGE.more))));
  parent.append(inner);
}

/** Returns which children of a node are shown: those that the reader has paged to, else those around the match, else the first. */
function pageOf(tree, child, total) {
  const { current, state } = tree;
  let page = state.pages.get(child.start) ?? [0, total <= PAGE.first * 1.5 ? total : PAGE.first];
  if (current && current.start < child.end && current.end > child.start) {
    let place = -1;
    eachChild(tree.text, child.start, ({ end }, n) => {
      place = n;
      return end <= current.start;
    });
    if (place < page[0] || place >= page[1]) page = [Math.max(0, place - PAGE.first / 2), Math.min(total, place + PAGE.first / 2)];
  }
  return page;
}

function foldButton(tree, { start }, open) {
  const { state } = tree;
  const turn = () => {
    state.turned.set(start, !open);
    tree.redraw();
  };
  const label = open ? "Fold this value" : "Unfold this value";
  const button = el("button.json-fold", { type: "button", "aria-expanded": String(open), "aria-label": label, title: label, onclick: turn });
  button.dataset.key = `${tree.id}@${start}`;
  return button;
}

/** Returns whether a node fits on one line behind its key, and opens nothing that is long. */
function readsOnOneLine({ state, text, width }, { key, start, end, keyEnd }, depth) {
  const room = width - INDENT * depth - (key < 0 ? 0 : keyEnd - key + 2);
  if (end - start > room * 2) return false;
  if (!state.lines.has(start)) state.lines.set(start, layOutJson(text.slice(start, end), true)?.length ?? Infinity);
  return state.lines.get(start) <= room;
}

function appendKey(tree, line, { key, keyEnd }) {
  if (key < 0) return;
  appendToken(tree, line, "span.json-key", key, keyEnd);
  line.append(": ");
}

/** Appends a value on one line. */
function appendFlat(tree, line, child) {
  const { text } = tree;
  const first = text.charCodeAt(child.start);
  if (first === 0x22) appendString(tree, line, child);
  else if (!(first in OPENS)) {
    const kind = JSON_LITERAL.test(text.slice(child.start, child.end)) ? "literal" : "number";
    appendToken(tree, line, `span.json-${kind}`, child.start, child.end);
  } else {
    line.append(text[child.start]);
    eachChild(text, child.start, (one, n) => {
      if (n) line.append(", ");
      appendKey(tree, line, one);
      appendFlat(tree, line, one);
    });
    line.append(text[child.start] === "{" ? "}" : "]");
  }
}

/** Appends a string: the start of a long one, and a way to unfold what JSON or lines of text it holds. */
function appendString(tree, line, { start, end }) {
  const { state, text } = tree;
  const held = heldBy(text, start, end);
  const opened = state.strings.get(start);
  if (held !== null) line.append(unfoldButton(tree, start, held, opened instanceof TreeState || opened === "lines"));
  if (opened instanceof TreeState) {
    const nested = el("div.nested");
    nested.append(jsonTree(opened, { id: `${tree.id}@${start}`, redraw: tree.redraw, width: tree.width }));
    line.append(nested);
  } else if (opened === "lines") line.append(el("div.nested.json-string", { dir: "auto" }, visible(held.text)));
  else {
    const { current } = tree;
    const match = current && current.start < end && current.end > start ? current : null;
    const length = end - start;
    let [from, to] = [start, Math.min(end, start + (opened ?? (length <= LONG_STRING.first * 1.5 ? length : LONG_STRING.first)))];
    if (match && match.end > to) [from, to] = [Math.max(start, match.start - LONG_STRING.first / 2), Math.min(end, match.end + LONG_STRING.first / 2)];
    if (from > start) line.append(el("span.soft", null, "…"));
    appendToken(tree, line, "span.json-string", from, to);
    if (to === end) return;
    const more = linkButton(`… show ${count(Math.min(LONG_STRING.more, end - to))} more of ${plural(length, "character")}`, () => {
      state.strings.set(start, to - start + LONG_STRING.more);
      tree.redraw();
    });
    more.dataset.key = `${tree.id}@${start}/more`;
    line.append(" ", more);
  }
}

const SHORTEST_LINES = 40;
const LONGEST_HELD = 2_000_000; // characters

/** Returns what a string holds that is worth unfolding: JSON, or several lines; null for nothing of the kind. */
function heldBy(text, start, end) {
  const length = end - start;
  if (length <= 4 || length > LONGEST_HELD) return null;
  const isJson = /^"(?:\s|\\[nrt])*[{[]/.test(text.slice(start, start + 40));
  const hasLines = length >= SHORTEST_LINES && text.slice(start, Math.min(end, start + 4000)).includes("\\n");
  if (!isJson && !hasLines) return null;
  const held = JSON.parse(text.slice(start, end));
  if (isJson && isJsonText(held)) return { text: held, isJson: true };
  return hasLines ? { text: held, isJson: false } : null;
}

/** Returns the button. Its sign is drawn by the style sheet, so that copies of the text hold the text alone. */
function unfoldButton(tree, start, { text, isJson }, open) {
  const label = open ? "Show the string that this is" : isJson ? "Unfold the JSON in this string" : "Show the lines of this string";
  const turn = () => {
    if (open) tree.state.strings.delete(start);
    else tree.state.strings.set(start, isJson ? new TreeState(text) : "lines");
    tree.redraw();
  };
  const button = el(`button.unfold${isJson ? "" : ".lines"}`, { type: "button", title: label, "aria-label": label, "aria-expanded": String(open), onclick: turn });
  button.dataset.key = `${tree.id}@${start}/string`;
  return button;
}

/** Appends a token, the matches in it marked. */
function appendToken({ text, marks, now }, line, selector, start, end) {
  const node = el(selector);
  fillMarked(node, text, start, end, marks, now);
  line.append(node);
}
