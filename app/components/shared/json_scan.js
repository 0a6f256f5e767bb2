// Finding one's way in JSON text without parsing it: where a value ends, and what it holds. Tokens stay as they are, so that a
// number keeps all its digits; what is not looked at costs next to nothing, so that ten megabytes open at once.

const OPENS = { 0x7b: "{", 0x5b: "[" };

/** Returns the end of the string that begins at `at`. */
function stringEnd(text, at) {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote;
    while (text.charCodeAt(slash - 1) === 0x5c) slash--;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Returns the end of the value that begins at `at`. */
function valueEnd(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = stringEnd(text, i) - 1;
      if (!depth) return i + 1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (--depth <= 0) return depth ? i : i + 1;
    } else if (!depth && (code === 0x2c || code <= 0x20)) return i;
  }
  return text.length;
}

function skipBlank(text, at) {
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/**
 * Calls `visit({key, keyEnd, start, end}, n)` for each member or item of the object or array that begins at `at`, until it
 * returns false; an item has no key. Returns how many it has gone through.
 */
function eachChild(text, at, visit) {
  const isObject = text[at] === "{";
  let n = 0;
  let i = skipBlank(text, at + 1);
  while (i < text.length && text[i] !== "}" && text[i] !== "]") {
    const child = { key: -1, keyEnd: -1, start: i, end: i };
    if (isObject) {
      child.key = i;
      child.keyEnd = stringEnd(text, i);
      child.start = skipBlank(text, skipBlank(text, child.keyEnd) + 1);
    }
    child.end = valueEnd(text, child.start);
    if (visit(child, n++) === false) break;
    i = skipBlank(text, child.end);
    if (text[i] === ",") i = skipBlank(text, i + 1);
  }
  return n;
}

/** Returns the members of a JSON object, as raw JSON text by their names; none for another value. */
function jsonMembers(text) {
  const members = new Map();
  const at = skipBlank(text, 0);
  if (text[at] === "{") eachChild(text, at, ({ key, keyEnd, start, end }) => members.set(JSON.parse(text.slice(key, keyEnd)), text.slice(start, end)));
  return members;
}

/** Returns the items of a JSON array, as raw JSON text. */
function jsonItems(text) {
  const items = [];
  eachChild(text, skipBlank(text, 0), ({ start, end }) => items.push(text.slice(start, end)));
  return items;
}

/** Returns whether a text looks like a JSON object or array, from its ends alone. */
function looksLikeJson(text) {
  const first = text.charCodeAt(skipBlank(text, 0));
  if (!(first in OPENS)) return false;
  let last = text.length - 1;
  while (text.charCodeAt(last) <= 0x20) last--;
  return text[last] === (first === 0x7b ? "}" : "]");
}

const LONGEST_TREE = 40_000_000; // characters

/** Returns whether a text is a JSON object or array that can be shown as a tree. */
function isJsonText(text) {
  if (text.length < 2 || text.length > LONGEST_TREE || !looksLikeJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
