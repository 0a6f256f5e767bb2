// The component: a list of findings under the headings of their severities; one that is chosen says what it means.

const MEANINGS = { seen: "What was seen", matters: "Why it matters", check: "True or false alarm", todo: "What to do" };
const GROUP_PX = 41;
const FINDING_PX = 84;
const EDGE_PX = 2;

class Findings {
  constructor(root) {
    this.root = root;
    this.box = root.querySelector("[data-part=scroll]");
  }

  load({ findings, kinds }) {
    this.destroy();
    this.kinds = kinds;
    this.rows = Object.keys(WORDS.severity).flatMap((severity) => {
      const those = findings.filter((finding) => finding.severity === severity);
      return those.length ? [{ severity, total: those.length }, ...those] : [];
    });
    // The first is open, so that one sees that there is more to each.
    this.open = new Set(this.folded ? [] : [1]);
    this.box.scrollTop = 0;
    this.list = new VirtualList({
      scroller: this.box,
      content: this.root.querySelector("[data-part=rows]"),
      count: this.rows.length,
      estimate: (at) => (this.rows[at].total ? GROUP_PX : FINDING_PX),
      render: (at) => (this.rows[at].total ? groupRow(this.rows[at]) : findingRow(this, at)),
      onScroll: () => this.fit(),
    });
    this.fit();
  }

  destroy() {
    this.list?.destroy();
    this.list = null;
  }

  /** Makes the list as high as its rows, up to what the page gives. */
  fit() {
    if (!this.list) return this.box.style.setProperty("height", `${this.most}px`);
    const height = Math.min(this.most, Math.ceil(this.list.heights.before(this.rows.length)) + EDGE_PX);
    this.box.style.height = `${height}px`;
  }

  turn(at) {
    if (!this.open.delete(at)) this.open.add(at);
    this.list.refresh(at);
  }
}

function groupRow({ severity, total }) {
  const { word, tone, meaning } = WORDS.severity[severity];
  return el("div.group", { role: "heading", "aria-level": 3 }, el(`span.${tone}`, null, plural(total, word)), el("span.soft", { style: "font-weight:400" }, ` · ${meaning}`));
}

function findingRow(view, at) {
  const finding = view.rows[at];
  const text = view.kinds[finding.kind];
  const open = view.open.has(at) && text !== undefined;
  const title = el("button.title", { type: "button", "aria-expanded": String(open), "data-key": at, onclick: () => view.turn(at) }, finding.title);
  const go = linkButton(`${visible(finding.place)} →`, () => view.jump(finding.path), `Go to the evidence, ${visible(finding.place)}`);
  go.title = visible(finding.path);
  return el(
    `article.finding.${finding.severity}${open ? ".open" : ""}`,
    { "aria-label": `${finding.severity}: ${finding.title}`, "data-kind": finding.kind },
    el("div.head", null, title, el("code", null, finding.kind)),
    el("div.message", { dir: "auto" }, visible(finding.message)),
    el("div.evidence", null, go),
    open && el("dl", null, Object.entries(MEANINGS).map(([field, word]) => [el("dt", null, word), el("dd", null, withCode(text[field]))])),
  );
}

/** Returns our own words, with what is between backticks as code. */
function withCode(text) {
  return text.split("`").map((piece, n) => (n % 2 ? el("code", null, piece) : piece));
}

export default function (component) {
  return mountView(component, "findings", Findings, {
    prepare(view, { height, folded }) {
      Object.assign(view, { most: height, folded });
      view.fit();
      view.jump = (path) => component.setTriggerValue("jump", { path });
    },
  });
}
