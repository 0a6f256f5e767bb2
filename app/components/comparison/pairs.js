// Rows of the list: a fold of steps that are the same, one such step, or two steps that differ.

const CUT = 1400; // UTF-16 units of a part before it is folded
const BEFORE_MARK = 160; // of them in front of the first difference, where that is far down
const HALF_WIDTH = 56; // characters of JSON on a line of half the page
const SIDES = ["left", "right"];
const ABSENT = { "what the model saw": "the response, or nothing", attempts: "one at most", outcome: "no receipt" };

function foldRow(view, at) {
  const { from, to, open } = view.items[at];
  const words = `${plural(to - from, "same step")}`;
  return el(
    "div.folding",
    null,
    el("button.fold", { type: "button", "aria-expanded": String(open), "data-key": `fold-${at}`, onclick: () => view.turn(at) }, words),
  );
}

function stepLink(view, side, step) {
  const title = `Open the ${side} run at this step`;
  return el("button.link.number", { type: "button", title, "aria-label": `${title}, ${step.number}`, "data-key": `${side}-${step.path}`, onclick: () => view.jump(side, step.path) }, count(step.number));
}

function stepName(step) {
  if (step.kind === "call") return el("code.tool", null, visible(step.name ?? "unreadable call"));
  return el("b", null, step.kind === "answer" ? "final answer" : visible(step.name));
}

function sameRow(view, pair) {
  const { left, right } = pair;
  return el(
    "article.pair.same",
    { "aria-label": `Step ${left.number}, the same` },
    el("div.numbers", null, stepLink(view, "left", left), left.number === right.number ? null : [" | ", stepLink(view, "right", right)]),
    el("div.brief", { dir: "auto" }, stepName(left), " ", el("span.soft", null, firstWords(left.brief))),
  );
}

const CHANGES = {
  changed: ({ differs }) => `changed: ${differs.join(", ")}`,
  left: () => "only in the left run",
  right: () => "only in the right run",
};

function differenceRow(view, at, pair) {
  const steps = SIDES.map((side) => pair[side]);
  const words = CHANGES[pair.change](pair);
  const numbers = steps.filter(Boolean).map(({ number }) => number);
  return el(
    `article.pair.${pair.change}${view.current === view.differenceOf.get(at) ? ".current" : ""}`,
    { "aria-label": `Step ${[...new Set(numbers)].join(" and ")}, ${words}` },
    SIDES.map((side, n) =>
      steps[n]
        ? el(`div.cell.head.${side}`, null, stepLink(view, side, steps[n]), stepName(steps[n]), el("span.what", null, pair.change === "changed" && n ? "" : words))
        : el(`div.cell.head.${side}.nothing`, null, el("span.absent", null, "nothing here")),
    ),
    partNames(steps).map((name) => partRow(view, at, name, steps)),
  );
}

/** Returns the names of all parts, those that differ first. */
function partNames(steps) {
  const parts = steps.flatMap((step) => step?.parts ?? []);
  const names = [...new Set(parts.map(({ name }) => name))];
  const differs = (name) => parts.some((part) => part.name === name && part.differs);
  return [...names.filter(differs), ...names.filter((name) => !differs(name))];
}

function partRow(view, at, name, steps) {
  const parts = steps.map((step) => step?.parts.find((part) => part.name === name));
  const [left, right] = parts;
  if (left && right && !left.differs) {
    return el("div.cell.both", null, el("span.label", null, `${name}, the same `), el("span.brief", { dir: "auto" }, firstWords(left.text ?? left.json, 200)));
  }
  const isAlone = !(left && right);
  const texts = parts.map((part) => part && (part.text ?? shownJson(part.json)));
  const pieces = !isAlone ? markWords(...texts) : texts.map((text) => text !== undefined && [{ text, marked: false }]);
  return SIDES.map((side, n) => {
    if (!steps[n]) return el(`div.cell.${side}.nothing`);
    if (!parts[n]) return el(`div.cell.${side}`, null, el("div.label", null, name), el("span.absent", null, ABSENT[name] ?? "none"));
    const key = `${at}/${side}/${name}`;
    const label = name === "text" ? null : el("div.label", null, name);
    const isTree = isAlone && parts[n].json !== undefined;
    return el(`div.cell.${side}`, null, label, isTree ? jsonPart(view, at, key, parts[n]) : textBlock(view, at, key, pieces[n], side, parts[n]));
  });
}

/** Returns JSON that has nothing beside it to differ from. */
function jsonPart(view, at, key, { json, tone }) {
  if (!view.trees.has(key)) view.trees.set(key, new TreeState(json));
  const node = jsonTree(view.trees.get(key), { id: key, redraw: () => view.list.refresh(at), width: HALF_WIDTH });
  if (tone) node.classList.add(tone);
  return node;
}

function textBlock(view, at, key, pieces, side, part) {
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const open = view.open.has(key) || length <= CUT * 1.2;
  let from = 0;
  if (!open) {
    let before = 0;
    for (const { text, marked } of pieces) {
      if (marked) break;
      before += text.length;
    }
    if (before < length && before > CUT) from = before - BEFORE_MARK;
  }
  const shown = open ? pieces : cutPieces(pieces, from, CUT);
  const node = el(
    `div.txt${part.json === undefined ? "" : ".mono"}${part.tone ? `.${part.tone}` : ""}`,
    { dir: part.json === undefined ? "auto" : "ltr" },
    from ? el("span.soft", null, "… ") : null,
    shown.map(({ text, marked }) => (marked ? el(side === "left" ? "del" : "ins", null, visible(text)) : visible(text))),
    open ? null : el("span.soft", null, " …"),
  );
  if (part.json === undefined) isolateWords(node);
  if (open && length <= CUT * 1.2) return node;
  const turn = () => {
    if (!view.open.delete(key)) view.open.add(key);
    view.list.refresh(at);
  };
  const total = pieces.map(({ text }) => text).join("");
  return [node, el("button.fold", { type: "button", "aria-expanded": String(open), "data-key": key, onclick: turn }, open ? "Show less" : `Show all ${plural(characters(total), "character")}`)];
}
