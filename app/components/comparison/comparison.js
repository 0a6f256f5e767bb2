// The component: figures, where the runs part, and their steps side by side, with those that are the same folded.

const FOLDED_FROM = 3; // same steps in a row before they are folded
const ROW_PX = { fold: 33, same: 27, changed: 180, left: 130, right: 130 };
const EDGE_PX = 2;

class Comparison {
  constructor(root) {
    this.root = root;
    this.byName = (name) => root.querySelector(`[data-part="${name}"]`);
    this.box = this.byName("scroll");
    this.byName("next").onclick = () => this.step(1);
    this.byName("previous").onclick = () => this.step(-1);
    this.byName("fold").onclick = () => this.turnAll();
  }

  load(data) {
    this.destroy();
    this.data = data;
    this.open = new Set();
    this.trees = new Map();
    this.current = null;
    this.arrange(data.pairs);
    drawFigures(this.byName("figures"), this.byName("alike"), data);
    this.byName("parting").textContent = visible(data.parting);
    this.byName("bound").hidden = data.complete;
    for (const name of ["next", "previous"]) this.byName(name).hidden = !this.differences.length;
    this.byName("fold").hidden = !this.items.some(({ type }) => type === "fold");
    this.box.scrollTop = 0;
    this.list = new VirtualList({
      scroller: this.box,
      content: this.byName("rows"),
      count: this.items.length,
      hidden: new Set(this.items.flatMap(({ type, from, to }, at) => (type === "fold" ? rangeOf(at, to - from) : []))),
      estimate: (at) => ROW_PX[this.items[at].pair?.change ?? "fold"],
      render: (at) => this.row(at),
      onScroll: () => this.fit(),
    });
    this.showCount();
    this.fit();
  }

  /** Arranges the rows: a fold precedes the steps that it hides. A changed step is a difference; so is a stretch of
   *  steps that only one run or the other has. */
  arrange(pairs) {
    this.items = [];
    this.differences = [];
    this.differenceOf = new Map();
    for (let from = 0; from < pairs.length; ) {
      let to = from + 1;
      const same = pairs[from].change === "same";
      while (to < pairs.length && (pairs[to].change === "same") === same) to++;
      if (same && to - from >= FOLDED_FROM) this.items.push({ type: "fold", from, to, open: false });
      for (let at = from; at < to; at++) {
        const begins = at === from || [pairs[at], pairs[at - 1]].some(({ change }) => change === "changed");
        if (!same && begins) this.differences.push(this.items.length);
        if (!same) this.differenceOf.set(this.items.length, this.differences.length - 1);
        this.items.push({ type: "pair", pair: pairs[at] });
      }
      from = to;
    }
  }

  row(at) {
    const { type, pair } = this.items[at];
    if (type === "fold") return foldRow(this, at);
    return pair.change === "same" ? sameRow(this, pair) : differenceRow(this, at, pair);
  }

  destroy() {
    this.list?.destroy();
    this.list = null;
  }

  /** Makes the list as high as its rows, up to what the page gives. */
  fit() {
    if (!this.list) return this.box.style.setProperty("height", `${this.most}px`);
    const height = Math.min(this.most, Math.ceil(this.list.heights.before(this.items.length)) + EDGE_PX);
    this.box.style.height = `${height}px`;
  }

  turn(at, open = !this.items[at].open) {
    const item = this.items[at];
    item.open = open;
    this.list.hide(rangeOf(at, item.to - item.from), !open);
    this.list.refresh(at);
    this.fit();
  }

  turnAll() {
    const folds = this.items.flatMap(({ type }, at) => (type === "fold" ? [at] : []));
    const open = folds.some((at) => !this.items[at].open);
    for (const at of folds) this.turn(at, open);
    this.byName("fold").textContent = open ? "Fold all" : "Unfold all";
    this.byName("fold").setAttribute("aria-pressed", String(open));
    this.list.refreshAll();
    this.fit();
  }

  /** Goes to the difference after (or before) the one last shown; goes round. */
  step(by) {
    const { length } = this.differences;
    if (!length) return;
    this.current = this.current === null ? (by > 0 ? 0 : length - 1) : (this.current + by + length) % length;
    this.list.refreshAll();
    this.list.scrollTo(this.differences[this.current]);
    this.list.refreshAll();
    this.showCount();
  }

  showCount() {
    const { length } = this.differences;
    const position = this.current === null ? "" : `${count(this.current + 1)} of `;
    this.byName("count").textContent = length ? `${position}${plural(length, "difference")}` : "";
  }
}

function rangeOf(at, length) {
  return Array.from({ length }, (_, n) => at + 1 + n);
}

function drawFigures(table, alike, { left, right, figures }) {
  const differing = figures.filter(({ differs }) => differs);
  const cell = (figure, side) =>
    el(
      `td${figure[`${side}_tone`] ? `.${figure[`${side}_tone`]}` : ""}`,
      null,
      el(`div.value${figure.literal ? ".literal" : ""}`, { dir: "auto" }, visible(figure[side])),
      side === "right" && figure.more && el("span.soft.more", { title: "the right run less the left" }, ` ${figure.more}`),
    );
  table.replaceChildren(
    el("caption.hidden", null, "The figures in which the two runs differ"),
    el("thead", null, el("tr", null,
      el("th", { scope: "col" }, el("span.hidden", null, "figure")),
      el("th", { scope: "col" }, el("span.soft", null, "left "), el("code", null, visible(left))),
      el("th", { scope: "col" }, el("span.soft", null, "right "), el("code", null, visible(right))),
    )),
    el("tbody", null, differing.map((figure) =>
      el("tr", null, el("th", { scope: "row" }, figure.name), cell(figure, "left"), cell(figure, "right")),
    )),
  );
  const same = figures.filter(({ differs, left: text }) => !differs && text !== "–");
  alike.hidden = !same.length;
  alike.replaceChildren(
    "The same in both: ",
    ...same.flatMap(({ name, left: text }, at) => [at ? " · " : "", `${name} `, el("span.value", { dir: "auto" }, firstWords(text, 80))]),
  );
}

export default function (component) {
  return mountView(component, "comparison", Comparison, {
    prepare(view, { height }) {
      view.most = height;
      view.fit();
      view.jump = (side, path) => component.setTriggerValue("jump", { run: view.data[side], path });
    },
  });
}
