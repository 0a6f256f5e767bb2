// Literal text: exact, with what cannot be seen made visible, matches marked, and words kept in order beside Arabic or Hebrew.

const UNSEEN = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Control characters as their symbols (NUL as ␀, escape as ␛), one for one, so that offsets stay. Tabs and line ends are
 * left alone, but a carriage return without a line feed is shown: terminals use it to overwrite what came before.
 */
function visible(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "\u2421";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** Returns a case-insensitive pattern of literal text, or null for none. In JSON, blanks behind a colon or comma do not count. */
function pattern(query, inJson = false) {
  if (!query) return null;
  const literal = query.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(inJson ? literal.replace(/([:,]) */g, "$1\\s*") : literal, "giu");
}

const MARKS_PER_BLOCK = 200;

/**
 * Fills `node` with the text from `from` up to `to`, the matches in it in <mark>: `ranges` are `{start, end}` in the order of
 * the text, `current` is the number of the one that the reader is at, or -1. At most 200 marks are drawn, around the current
 * one: more would only slow the page.
 */
function fillMarked(node, text, from, to, ranges, current) {
  let n = firstRange(ranges, from);
  if (current >= n && ranges[current].start < to) n = Math.max(n, current - MARKS_PER_BLOCK / 2);
  const last = n + MARKS_PER_BLOCK;
  const pieces = [];
  let at = from;
  for (; n < last && n < ranges.length && ranges[n].start < to; n++) {
    const start = Math.max(at, ranges[n].start);
    const end = Math.min(to, ranges[n].end);
    if (start > at) pieces.push(visible(text.slice(at, start)));
    pieces.push(el(n === current ? "mark.current" : "mark", null, visible(text.slice(start, end))));
    at = end;
  }
  if (at < to) pieces.push(visible(text.slice(at, to)));
  node.replaceChildren(...pieces);
}

/** Returns the number of the first range that ends behind `from`. */
function firstRange(ranges, from) {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle].end > from) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Fills `node` with a text as it is. */
function fillLiteral(node, text) {
  node.textContent = visible(text);
}

/** Characters are Unicode code points, as everywhere in this project; JavaScript counts UTF-16 units. */
function characters(text) {
  let total = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      total--;
      i++;
    }
  }
  return total;
}

/** Returns a length in UTF-16 units that does not split a character. */
function wholeCharacters(text, length) {
  return (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length + 1 : length;
}

/** Returns the first words of a text on one line. */
function firstWords(text, length = 160) {
  return visible(text.slice(0, length * 2).replace(/\s+/g, " ").trim().slice(0, length));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Words of Latin letters and digits, joined by signs that a right-to-left text reorders them around. */
const JOINED = /(?<![A-Za-z0-9])[A-Za-z0-9]+(?:[-\/.:_+][A-Za-z0-9]+)+/g;

/**
 * Isolates such words in a block of literal text, so that 2026-04-20 does not read 20-04-2026 beside Arabic. Only
 * elements come in, the text stays as it is. Facts are isolated already (`factMark`).
 */
function isolateWords(node) {
  if (!RIGHT_TO_LEFT.test(node.textContent)) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".fact")) texts.push(walker.currentNode);
  for (const text of texts) {
    const { data } = text;
    const pieces = [];
    let at = 0;
    for (const { 0: word, index } of data.matchAll(JOINED)) {
      if (!/\d/.test(word)) continue;
      if (index > at) pieces.push(data.slice(at, index));
      pieces.push(el("span.ltr", { dir: "ltr" }, word));
      at = index + word.length;
    }
    if (pieces.length) text.replaceWith(...pieces, ...(at < data.length ? [data.slice(at)] : []));
  }
}
