// JSON inside strings of JSON: each such string can be unfolded where it stands, and folded again.

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const SHORTEST_JSON_STRING = 4; // "{}" and "[]" hold nothing to unfold

/** The strings of a JSON text that hold JSON themselves: `{start, end, inner}`. */
function jsonStrings(text) {
  const found = [];
  JSON_STRING.lastIndex = 0;
  for (let match; (match = JSON_STRING.exec(text)); ) {
    const [token] = match;
    if (token.length <= SHORTEST_JSON_STRING || !/^"(?:\s|\\[nrt])*[{[]/.test(token)) continue;
    const inner = stringOf(token);
    if (inner === null || !looksLikeJson(inner) || layOutJson(inner) === null) continue;
    found.push({ start: match.index, end: match.index + token.length, inner });
  }
  return found;
}

function stringOf(token) {
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
  for (const { start, end, inner } of jsonStrings(text)) {
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

/** Its sign is drawn by the style sheet: what is copied out of the text holds the text alone. */
function unfoldButton(key, open, turn) {
  const label = open ? "Show this JSON as the string that it is" : "Unfold the JSON in this string";
  const button = el("button.unfold", { type: "button", title: label, "aria-label": label, "aria-expanded": String(open), onclick: () => turn(key) });
  button.dataset.key = key;
  return button;
}
