// How texts are shown: laid out, exact, or the message as it stood. One choice for the whole transcript, and one a message that
// overrides it. Markdown is laid out by the server, and the original comes from it, when they are asked for.

const VIEWS = { formatted: "Formatted", exact: "Exact", markdown: "Markdown", raw: "Raw" };
const VIEW_MEANINGS =
  "Formatted: Markdown and JSON laid out, where a text is one of them. Exact: every character. Markdown: any text, laid out. Raw: the message as it stood in the document.";
const MOST_AT_ONCE = 24;
const ASK_AFTER_MS = 20;
const ANSWERS_KEPT = 500;
const MARKDOWN_ROUTE = "transcript-markdown"; // `markdown_route.py`, beside the page

class Views {
  constructor(run, ask, changed) {
    this.common = "formatted";
    this.own = new Map(); // item → view
    const original = async (wants) => ask({ run, wants });
    this.originals = new Answers(original, changed);
    this.markup = new Answers(async (texts) => this.markup.receive(await layOutMarkdown(texts)), changed);
    this.run = run;
  }

  of(at) {
    return this.own.get(at) ?? this.common;
  }

  choose(at, view) {
    if (view === this.common) this.own.delete(at);
    else this.own.set(at, view);
  }

  chooseAll(view) {
    this.common = view;
    this.own.clear();
  }

  /** Takes the originals that the page has sent. */
  receive(run, texts) {
    if (run === this.run) this.originals.receive(Object.entries(texts));
  }

  destroy() {
    this.originals.destroy();
    this.markup.destroy();
  }
}

/** What is asked for while one reads: only what is on screen, some at a time. */
class Answers {
  /** `ask(wants)` asks for some; `changed(items)` draws items again for which answers have come. */
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
    this.answers = new Map(); // what was asked for → its text, or null for what cannot be shown so
    this.pending = new Map(); // what was asked for → the items that wait for it
    this.timer = 0;
  }

  /** Returns the text for `want`, null for none, undefined while it is on its way; item `at` is drawn again then. */
  request(at, want) {
    if (this.answers.has(want)) return this.answers.get(want);
    const waiting = this.pending.get(want) ?? new Set();
    waiting.add(at);
    this.pending.set(want, waiting);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), ASK_AFTER_MS);
    return undefined;
  }

  send() {
    // The latest first: they are on screen, others may have been scrolled past.
    const wants = [...this.pending.keys()].slice(-MOST_AT_ONCE);
    if (wants.length && !this.isClosed) this.ask(wants);
  }

  receive(answers) {
    const waiting = new Set();
    for (const [want, text] of answers) {
      if (!this.pending.has(want)) continue;
      for (const at of this.pending.get(want)) waiting.add(at);
      this.pending.delete(want);
      this.answers.set(want, text);
    }
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= ANSWERS_KEPT) break;
      this.answers.delete(oldest);
    }
    if (!waiting.size || this.isClosed) return;
    this.changed([...waiting]);
    if (this.pending.size) this.send();
  }

  destroy() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}

/** Returns each text with its HTML: null where the server does not lay it out, undefined where it is out of reach. */
async function layOutMarkdown(texts) {
  let html = [];
  try {
    const response = await fetch(new URL(MARKDOWN_ROUTE, window.location.href), { method: "POST", body: JSON.stringify(texts) });
    if (response.ok) html = await response.json();
  } catch {
    // The page itself says that the server is gone.
  }
  return texts.map((text, n) => [text, html[n]]);
}

/** Returns a choice of views: `label` names it, `current` is chosen. */
function viewChoice(label, current, choose, key) {
  const options = Object.entries(VIEWS).map(([view, word]) => el("option", { value: view, selected: view === current }, word));
  const box = el("select.views", { "aria-label": label, title: VIEW_MEANINGS, onchange: (event) => choose(event.target.value) }, options);
  return keyed(box, key);
}
