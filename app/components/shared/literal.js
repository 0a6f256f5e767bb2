// Literal text: exact, with what cannot be seen made visible, and with matches marked.

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

/** A case-insensitive pattern of literal text, or null for none. */
function pattern(query) {
  return query ? new RegExp(query.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu") : null;
}

const MARKS_A_BLOCK = 200;

/**
 * Fills `node` with `text`, matches of `find` in <mark>. `current` is the ordinal of the match that the reader stands
 * on, or -1. At most 200 marks a block are drawn around the current one: more would only slow the page.
 */
function fillLiteral(node, text, find, current) {
  if (!find) {
    node.textContent = visible(text);
    return;
  }
  const pieces = [];
  const first = Math.max(0, current - MARKS_A_BLOCK / 2);
  let at = 0;
  let ordinal = 0;
  find.lastIndex = 0;
  for (let match = find.exec(text); match && ordinal < first + MARKS_A_BLOCK; match = find.exec(text), ordinal++) {
    if (ordinal < first) continue;
    if (match.index > at) pieces.push(visible(text.slice(at, match.index)));
    at = match.index + match[0].length;
    pieces.push(el(ordinal === current ? "mark.current" : "mark", null, visible(match[0])));
  }
  if (at < text.length) pieces.push(visible(text.slice(at)));
  node.replaceChildren(...pieces);
}
