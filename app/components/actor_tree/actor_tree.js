// The component: the tree, its keys, and what it reports to the page.

const ROW = 32;
const EDGE = 25;
const MOST_EDGES = 0.3; // of the height

class ActorTree {
  constructor(root) {
    this.root = root;
    this.byName = (name) => root.querySelector(`[data-part="${name}"]`);
    this.byName("expand").onclick = () => this.change(() => this.model.openAll(true));
    this.byName("collapse").onclick = () => this.change(() => this.model.openAll(false));
    this.box = this.byName("scroll");
    this.box.onclick = (event) => this.clicked(event);
    this.box.onkeydown = (event) => this.key(event);
  }

  load(data) {
    this.destroy();
    this.model = new ActorModel(data);
    this.anyDeclared = data.hand_offs.some((edge) => edge.declared);
    this.selected = null;
    this.active = 0;
    this.focused = null;
    this.summary();
    this.box.scrollTop = 0;
    this.rows = new VirtualList({
      scroller: this.box,
      content: this.byName("rows"),
      count: data.nodes.length,
      hidden: this.hiddenRows(),
      estimate: () => ROW,
      render: (at) => actorRow(this, at),
    });
    this.byName("empty").hidden = data.nodes.length > 0;
    this.handOffs(data);
  }

  destroy() {
    this.rows?.destroy();
    this.edges?.destroy();
  }

  summary() {
    const { actors, figures } = this.model.summary();
    const words = figures.flatMap(([number, word, tone]) => [" · ", el(`span.${tone}`, null, `${count(number)} ${word}`)]);
    this.byName("summary").replaceChildren(actors ? plural(actors, "actor") : "no actor labels", ...words);
  }

  handOffs({ entry, hand_offs: edges }) {
    const section = this.byName("edges");
    section.hidden = !edges.length && entry === null;
    const declared = edges.filter((edge) => edge.declared).length;
    const observed = edges.filter((edge) => edge.observed).length;
    const starts = entry === null ? [] : ["starts at ", el("code", null, visible(entry)), " · "];
    this.byName("edges-title").replaceChildren(...starts, `${count(declared)} declared · ${count(observed)} observed`);
    const most = parseInt(this.root.style.height, 10) * MOST_EDGES;
    this.byName("edges-scroll").style.height = `${Math.min(edges.length * EDGE + 8, most)}px`;
    this.edges = new VirtualList({
      scroller: this.byName("edges-scroll"),
      content: this.byName("edges-rows"),
      count: edges.length,
      estimate: () => EDGE,
      render: (at) => handOffLine(this, at),
    });
  }

  hiddenRows() {
    const hidden = new Set(this.model.nodes.keys());
    for (const at of this.model.listVisible()) hidden.delete(at);
    return hidden;
  }

  /** Applies a change to what is open, and shows it. */
  change(apply) {
    apply();
    const hidden = this.hiddenRows();
    const differs = [...this.model.nodes.keys()].filter((at) => hidden.has(at) !== this.rows.hidden.has(at));
    this.rows.hide(differs.filter((at) => hidden.has(at)), true);
    this.rows.hide(differs.filter((at) => !hidden.has(at)), false);
    while (hidden.has(this.active)) this.active = this.model.nodes[this.active].parent;
    this.rows.refreshAll();
  }

  clicked(event) {
    const row = event.target.closest("[data-at]");
    if (!row) return;
    const at = Number(row.dataset.at);
    this.active = at;
    if (event.target.closest("[data-caret]")) this.change(() => this.model.toggle(at));
    else this.choose(at);
  }

  choose(at) {
    this.mark(at);
    this.report("selected", this.model.nodes[at].path);
  }

  mark(at) {
    this.selected = this.model.nodes[at].path;
    this.move(at);
    this.rows.refreshAll();
  }

  move(at) {
    this.active = at;
    this.rows.reveal(at);
    this.box.setAttribute("aria-activedescendant", `actor-${at}`);
    for (const [index, node] of this.rows.rows) node.classList.toggle("active", index === at);
  }

  /** Opens the way to a path, and marks it. */
  show(path) {
    const at = this.model.find(path);
    if (at < 0) return;
    this.change(() => this.model.reveal(at));
    this.mark(at);
  }

  key(event) {
    const { model, active } = this;
    const rows = model.listVisible();
    const position = rows.indexOf(active);
    const children = model.children[active] ?? [];
    const actions = {
      ArrowDown: () => this.move(rows[Math.min(position + 1, rows.length - 1)]),
      ArrowUp: () => this.move(rows[Math.max(position - 1, 0)]),
      Home: () => this.move(rows[0]),
      End: () => this.move(rows.at(-1)),
      ArrowRight: () => {
        if (children.length && !model.isOpen(active)) this.change(() => model.toggle(active));
        else if (children.length) this.move(children[0]);
      },
      ArrowLeft: () => {
        if (children.length && model.isOpen(active)) this.change(() => model.toggle(active));
        else if (model.nodes[active].parent !== undefined) this.move(model.nodes[active].parent);
      },
      Enter: () => this.choose(active),
      " ": () => this.choose(active),
    };
    if (!(event.key in actions) || event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
    actions[event.key]();
    event.preventDefault();
  }
}

export default function (component) {
  return mountView(component, "tree", ActorTree, {
    prepare(view, { height }) {
      view.report = component.setStateValue;
      view.root.style.height = `${height}px`;
    },
    finish(view, { focus }) {
      if (focus === view.focused) return;
      view.focused = focus;
      if (focus !== null && focus !== view.selected) view.show(focus);
    },
  });
}
