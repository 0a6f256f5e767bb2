// The component: a list of findings under the headings of their severities; one that is chosen says what it means.

const GROUPS = {
  error: { noun: "error", tone: "bad", meaning: "the run, or a part that its answer needs, went wrong" },
  warning: { noun: "warning", tone: "warn", meaning: "something is not as it should be, and may have done harm" },
  info: { noun: "info", tone: "soft", meaning: "worth knowing, often harmless" },
};
const MEANINGS = { seen: "What was seen", matters: "Why it matters", check: "True or false alarm", todo: "What to do" };
const GROUP_PX = 41;
const FINDING_PX = 84;
const EDGE_PX = 2;
const mounted = new WeakMap();

class Findings {
  constructor(root) {
    this.root = root;
    this.box = root.querySelector("[data-part=scroll]");
  }

  load({ findings, kinds }) {
    this.destroy();
    this.kinds = kinds;
    this.rows = Object.keys(GROUPS).flatMap((severity) => {
      const those = findings.filter((finding) => finding.severity === severity);
      return those.length ? [{ severity, total: those.length }, ...those] : [];
    });
    // The first is open, so that one sees that there is more to each.
    this.open = new Set([1]);
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

  /** As high as its rows, up to what the page gives. */
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
  const { noun, tone, meaning } = GROUPS[severity];
  return el("div.group", { role: "heading", "aria-level": 3 }, el(`span.${tone}`, null, plural(total, noun)), el("span.soft", { style: "font-weight:400" }, ` · ${meaning}`));
}

function findingRow(view, at) {
  const finding = view.rows[at];
  const text = view.kinds[finding.kind];
  const open = view.open.has(at) && text !== undefined;
  const name = text?.title ?? finding.kind.replaceAll("_", " ");
  const title = el("button.title", { type: "button", "aria-expanded": String(open), "data-key": at, onclick: () => view.turn(at) }, name);
  const go = linkButton(`${visible(finding.place)} →`, () => view.jump(finding.path), `Go to the evidence, ${visible(finding.place)}`);
  go.title = visible(finding.path);
  return el(
    `article.finding.${finding.severity}${open ? ".open" : ""}`,
    { "aria-label": `${finding.severity}: ${name}`, "data-kind": finding.kind },
    el("div.head", null, title, el("code", null, finding.kind), el("span.rule", { title: "of the contract" }, finding.rule)),
    el("div.said", { dir: "auto" }, visible(finding.message)),
    el("div.evidence", null, go),
    open && el("dl", null, Object.entries(MEANINGS).map(([field, word]) => [el("dt", null, word), el("dd", null, withCode(text[field]))])),
  );
}

/** Our own words, with what stands between backticks as code. */
function withCode(text) {
  return text.split("`").map((piece, n) => (n % 2 ? el("code", null, piece) : piece));
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector("[data-part=findings]");
  let view = mounted.get(parentElement);
  if (view?.root !== root) {
    view?.destroy();
    view = new Findings(root);
    mounted.set(parentElement, view);
  }
  view.jump = (path) => setTriggerValue("jump", { path });
  const { head, body } = decodePayload(data, view.digest);
  view.most = head.height;
  if (body !== null || view.run !== head.run) {
    view.fit();
    view.load(body ?? decodePayload(data, null).body);
    view.digest = head.digest;
    view.run = head.run;
  }
  return () => {
    view.destroy();
    mounted.delete(parentElement);
  };
}
