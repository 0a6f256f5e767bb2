// A row of the tree, and a line of the hand-offs.

/** Returns the status in words; calls without a label are called by theirs already. */
function statusText(node) {
  const word = node.path === "" ? "" : WORDS.actor[node.status].word;
  return node.silent ? `${word}, silent` : word;
}

function nodeLabel(node) {
  return node.path === "" ? WORDS.actor.unattributed.word : visible(node.label);
}

/** Returns the row as a sentence, for who cannot see the columns. */
function rowSentence(node) {
  const parts = [nodeLabel(node), statusText(node)].filter(Boolean);
  if (node.suggestion) parts.push(`did you mean ${visible(node.suggestion)}`);
  parts.push(`${plural(node.calls, "own call")}, ${count(node.failed)} failed`);
  if (node.all_calls !== node.calls) parts.push(`${count(node.all_calls)} with descendants, ${count(node.all_failed)} failed`);
  return parts.join("; ");
}

function figure(value, tone) {
  return el(`span.figure${value && tone ? `.${tone}` : value ? "" : ".soft"}`, null, count(value));
}

function actorRow(view, at) {
  const { model } = view;
  const node = model.nodes[at];
  const status = WORDS.actor[node.status];
  const parent = model.children[at].length > 0;
  const open = model.isOpen(at);
  const siblings = model.siblings(at);
  const classes = Object.entries(node.all_classes ?? {}).map(([name, times]) => `${visible(name)} ×${count(times)}`).join(", ");
  const tools = visible((node.tools ?? []).join(", "));
  const chosen = node.path === view.selected;
  const hidden = parent && !open ? model.undeclared[at] : 0;
  return el(
    `div.actor${chosen ? ".chosen" : ""}${at === view.active ? ".active" : ""}`,
    {
      id: `actor-${at}`,
      role: "treeitem",
      "aria-level": model.depth[at] + 1,
      "aria-posinset": siblings.indexOf(at) + 1,
      "aria-setsize": siblings.length,
      "aria-expanded": parent ? String(open) : null,
      "aria-selected": String(chosen),
      "aria-label": rowSentence(node),
      title: node.path === "" ? null : visible(node.path),
      "data-at": at,
    },
    el(
      "span.name",
      { style: `padding-left:${Math.min(model.depth[at], 8) * 16}px` },
      el("span.caret", { "data-caret": parent }, parent ? (open ? "▾" : "▸") : ""),
      el(node.path === "" ? "i" : "code", null, nodeLabel(node)),
    ),
    el(
      `span.status.${status.tone}`,
      { title: status.meaning },
      statusText(node),
      node.suggestion && [", did you mean ", el("code", null, visible(node.suggestion)), "?"],
      hidden > 0 && el("span.undeclared", null, ` · ${count(hidden)} undeclared below`),
    ),
    figure(node.calls),
    figure(node.all_calls),
    figure(node.failed, "bad"),
    figure(node.all_failed, "bad"),
    el("span.figure.soft", { "data-label": "latency" }, node.all_latency_ms ? duration(node.all_latency_ms) : "–"),
    el("span.list.bad", { "data-label": "error classes" }, classes || null),
    el("span.list", { "data-label": "tools" }, tools && el("code", null, tools)),
  );
}

/** Returns the state of a hand-off: declared, observed, or both. */
function handOffWords({ declared, observed }, anyDeclared) {
  const seen = observed > 1 ? `observed ×${count(observed)}` : "observed";
  if (declared && observed) return { word: `declared, ${seen}`, tone: "soft" };
  if (declared) return { word: "declared, never observed", tone: "soft" };
  return anyDeclared ? { word: `${seen}, not declared`, tone: "undeclared" } : { word: seen, tone: "soft" };
}

function handOffLine(view, at) {
  const handOff = view.model.data.hand_offs[at];
  const { word, tone } = handOffWords(handOff, view.anyDeclared);
  return el(
    "div.hand-off",
    { role: "listitem" },
    el("span.pair", null, el("code", null, visible(handOff.source)), " → ", el("code", null, visible(handOff.target))),
    el(`span.${tone}`, null, word),
    el("span.soft", { dir: "auto" }, handOff.reasons.map(visible).join("; ")),
  );
}
