// Dates, numbers and ids inside text that runs from right to left.

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
