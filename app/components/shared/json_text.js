// Laying JSON out without parsing it: the tokens stay as they are, only white space between them is ours. So a number
// keeps all its digits, and a repeated key its repetition.

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
