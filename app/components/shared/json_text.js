// Laying JSON out without parsing it: the tokens stay as they are, only white space between them is ours. So a number
// keeps all its digits, and a repeated key its repetition. JSON in strings of JSON can be unfolded where it stands.

const JSON_TOKEN = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|true|false|null|[ \t\r\n]+/y;
const JSON_WIDTH = 88;
const LONGEST_LAID_OUT = 100_000; // characters

/** Returns the tokens of a JSON text, white space left out, or null when it is none (or nests too deeply to lay out). */
function jsonTokens(text) {
  const tokens = [];
  let depth = 0;
  JSON_TOKEN.lastIndex = 0;
  while (JSON_TOKEN.lastIndex < text.length) {
    const match = JSON_TOKEN.exec(text);
    if (!match) return null;
    const token = match[0];
    const first = token.charCodeAt(0);
    if (first <= 32) continue;
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth < 0) return null;
    tokens.push(token);
  }
  return depth === 0 && tokens.length ? tokens : null;
}

/** For each opening token: where it closes, and its width on one line. */
function jsonSpans(tokens) {
  const close = new Int32Array(tokens.length);
  const width = new Int32Array(tokens.length + 1);
  const open = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    width[i + 1] = width[i] + token.length + (token === "," || token === ":" ? 1 : 0);
    if (token === "{" || token === "[") open.push(i);
    else if (token === "}" || token === "]") {
      const start = open.pop();
      if ((tokens[start] === "{") !== (token === "}")) return null;
      close[start] = i;
    }
  }
  return { close, width };
}

/** Returns JSON laid out over lines of about 88 characters, or null for what is not valid JSON. `flat` keeps it on one line. */
function layOutJson(text, flat = false) {
  const tokens = jsonTokens(text);
  const spans = tokens && jsonSpans(tokens);
  if (!spans) return null;
  const out = [];
  const indents = [];
  let indent = "";
  let column = 0;
  let flatUntil = flat ? tokens.length : -1;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const onOneLine = i <= flatUntil;
    if (token === "{" || token === "[") {
      const end = spans.close[i];
      out.push(token);
      column++;
      if (onOneLine || end === i + 1) continue;
      if (column + spans.width[end] - spans.width[i] <= JSON_WIDTH) {
        flatUntil = end;
        continue;
      }
      indents.push(indent);
      indent += "  ";
      out.push("\n", indent);
      column = indent.length;
    } else if (token === "}" || token === "]") {
      if (!onOneLine && tokens[i - 1] !== "{" && tokens[i - 1] !== "[") {
        indent = indents.pop();
        out.push("\n", indent);
        column = indent.length;
      }
      out.push(token);
      column++;
    } else if (token === ",") {
      if (onOneLine) {
        out.push(", ");
        column += 2;
      } else {
        out.push(",\n", indent);
        column = indent.length;
      }
    } else {
      out.push(token === ":" ? ": " : token);
      column += token.length + (token === ":" ? 1 : 0);
    }
  }
  return out.join("");
}

/** Returns JSON as it is shown: laid out, unless it is so long that laying it out would hold up the page. */
function shownJson(text) {
  return text.length > LONGEST_LAID_OUT ? text : (layOutJson(text) ?? text);
}

/** Returns whether a text looks like a JSON object or array, from its ends alone. */
function looksLikeJson(text) {
  const trimmed = text.trim();
  return (trimmed.startsWith("{") && trimmed.endsWith("}")) || (trimmed.startsWith("[") && trimmed.endsWith("]"));
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const SHORTEST_JSON_STRING = 4; // "{}" and "[]" hold nothing to unfold

/** Returns the strings of a JSON text that hold JSON themselves: `{start, end, inner}`. */
function findJsonStrings(text) {
  const strings = [];
  JSON_STRING.lastIndex = 0;
  for (let match; (match = JSON_STRING.exec(text)); ) {
    const [token] = match;
    if (token.length <= SHORTEST_JSON_STRING || !/^"(?:\s|\\[nrt])*[{[]/.test(token)) continue;
    const inner = decodeString(token);
    if (inner === null || !looksLikeJson(inner) || layOutJson(inner) === null) continue;
    strings.push({ start: match.index, end: match.index + token.length, inner });
  }
  return strings;
}

function decodeString(token) {
  try {
    return JSON.parse(token);
  } catch {
    return null;
  }
}

/**
 * Fills `node` with JSON text, with a button at each string that holds JSON. `unfolded` is the set of those that are
 * open, by `id` and their place; `turn(key)` opens or closes one.
 */
function fillJson(node, text, id, unfolded, turn) {
  const pieces = [];
  let at = 0;
  for (const { start, end, inner } of findJsonStrings(text)) {
    const key = `${id}@${start}`;
    const open = unfolded.has(key);
    pieces.push(visible(text.slice(at, start)), unfoldButton(key, open, turn));
    if (open) {
      const nested = el("div.nested");
      fillJson(nested, shownJson(inner), key, unfolded, turn);
      pieces.push(nested);
    } else pieces.push(visible(text.slice(start, end)));
    at = end;
  }
  pieces.push(visible(text.slice(at)));
  node.replaceChildren(...pieces);
}

/** Returns the button. Its sign is drawn by the style sheet, so that copies of the text hold the text alone. */
function unfoldButton(key, open, turn) {
  const label = open ? "Show this JSON as the string that it is" : "Unfold the JSON in this string";
  const button = el("button.unfold", { type: "button", title: label, "aria-label": label, "aria-expanded": String(open), onclick: () => turn(key) });
  button.dataset.key = key;
  return button;
}
