// The tree as positions: parents, children, what is open. Nodes stand in preorder, so a subtree is a range.

const OPEN_ALL_BELOW = 300;

class ActorModel {
  constructor(data) {
    this.data = data;
    this.nodes = data.nodes;
    const count = this.nodes.length;
    this.depth = new Int32Array(count);
    this.end = new Int32Array(count).map((_, at) => at + 1);
    this.children = this.nodes.map(() => []);
    this.roots = [];
    this.nodes.forEach(({ parent }, at) => {
      if (parent === undefined) this.roots.push(at);
      else {
        this.depth[at] = this.depth[parent] + 1;
        this.children[parent].push(at);
      }
    });
    this.undeclared = new Int32Array(count); // undeclared nodes in the subtree, itself left out
    for (let at = count - 1; at >= 0; at--) {
      const { parent, status } = this.nodes[at];
      if (parent === undefined) continue;
      this.end[parent] = Math.max(this.end[parent], this.end[at]);
      this.undeclared[parent] += this.undeclared[at] + (status === "undeclared" ? 1 : 0);
    }
    this.open = new Set();
    this.openAll(count <= OPEN_ALL_BELOW);
  }

  siblings(at) {
    const { parent } = this.nodes[at];
    return parent === undefined ? this.roots : this.children[parent];
  }

  isOpen(at) {
    return this.open.has(at);
  }

  openAll(open) {
    this.open = new Set(open ? this.nodes.flatMap((_, at) => (this.children[at].length ? [at] : [])) : []);
  }

  toggle(at) {
    if (!this.children[at].length) return;
    if (this.open.has(at)) this.open.delete(at);
    else this.open.add(at);
  }

  /** Opens every ancestor of a node. */
  reveal(at) {
    for (let up = this.nodes[at].parent; up !== undefined; up = this.nodes[up].parent) this.open.add(up);
  }

  /** Returns the positions that no closed ancestor hides. */
  listVisible() {
    const rows = [];
    for (let at = 0; at < this.nodes.length; at = this.open.has(at) ? at + 1 : this.end[at]) rows.push(at);
    return rows;
  }

  find(path) {
    return this.nodes.findIndex((node) => node.path === path);
  }

  /** Returns the number of actors, and `[number, word, tone]` of those that need a look. */
  summary() {
    const number = (test) => this.nodes.filter(test).length;
    const byStatus = ["undeclared", "malformed"].map((status) => {
      const { word, tone } = WORDS.actor[status];
      return [number((node) => node.status === status), word, tone];
    });
    const figures = [...byStatus, [number((node) => node.silent), "silent", "soft"]];
    return {
      actors: number((node) => node.status !== "structural" && node.path !== ""),
      figures: figures.filter(([total]) => total),
    };
  }
}
