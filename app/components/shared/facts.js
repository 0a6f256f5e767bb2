// The facts of an answer, marked in its text (R37).

const FARTHEST = 5_000; // characters of markup between two texts

/**
 * Marks facts in a block of literal text. Offsets are UTF-16 units of the text; where it is cut, the facts beyond the cut are
 * left out. `go(path)` is what a found fact does when it is chosen; `leads(path)` says whether there is anywhere to go.
 * `source` is given for a text that is laid out: its pieces stand in it in their order, what is between them is not shown.
 */
function markFacts(node, facts, go, leads = () => true, source = null) {
  if (!facts.length) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const within = source === null ? null : visible(source);
  let next = 0;
  let reached = 0;
  for (const text of texts) {
    const { data } = text;
    let start = reached;
    if (within !== null) {
      start = data.trim() ? within.indexOf(data, reached) : -1;
      if (start < 0 || start > reached + FARTHEST) continue;
    }
    const end = (reached = start + data.length);
    while (next < facts.length && facts[next].end <= start) next++;
    const pieces = [];
    let at = start;
    // A fact may go on in the next text, where a match of find begins or ends within it.
    for (; next < facts.length && facts[next].start < end; next++) {
      const fact = facts[next];
      const from = Math.max(fact.start, at);
      const to = Math.min(fact.end, end);
      if (from > at) pieces.push(data.slice(at - start, from - start));
      pieces.push(factMark(fact, data.slice(from - start, to - start), go, leads));
      at = to;
      if (fact.end > end) break;
    }
    if (pieces.length) text.replaceWith(...pieces, ...(at < end ? [data.slice(at - start)] : []));
  }
}

/** Facts are numbers, dates and ids: they read from left to right, in a right-to-left text, too. */
function factMark(fact, text, go, leads) {
  if (fact.path === undefined) {
    return el("span.fact.nowhere", { dir: "ltr", title: "not found in any receipt, message or task input" }, text);
  }
  const title = `found in ${visible(fact.path)}`;
  if (!leads(fact.path)) return el("span.fact", { dir: "ltr", title }, text);
  const open = (event) => {
    if (event.type === "keydown" && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    go(fact.path);
  };
  return el("span.fact.linked", { dir: "ltr", title, role: "link", tabindex: 0, onclick: open, onkeydown: open }, text);
}
