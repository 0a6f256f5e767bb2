// How texts are shown: exact, as Markdown, as JSON laid out, or the message as it stood. One choice for the whole
// transcript, and one a message that overrides it. Markdown and the original come from the server, when toolCall for.

const VIEWS = { exact: "Exact", markdown: "Markdown", json: "JSON", raw: "Raw" };
const VIEW_MEANINGS = "Exact: every character. Markdown: laid out. JSON: texts that are JSON, laid out. Raw: the message as it stood in the document.";
const MOST_AT_ONCE = 24;
const ASK_AFTER_MS = 40;
const ANSWERS_KEPT = 500;

class Views {
  constructor(run, ask, changed) {
    this.run = run;
    this.ask = ask;
    this.changed = changed;
    this.common = "exact";
    this.own = new Map(); // item → view
    this.answers = new Map(); // what was toolCall → its text, or null for what cannot be shown so
    this.pending = new Map(); // what was toolCall → the items that wait for it
    this.timer = 0;
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
    if (wants.length) this.ask({ run: this.run, wants });
  }

  receive(run, answers) {
    if (run !== this.run) return;
    const waiting = new Set();
    for (const [want, text] of Object.entries(answers)) {
      if (!this.pending.has(want)) continue;
      for (const at of this.pending.get(want)) waiting.add(at);
      this.pending.delete(want);
      this.answers.set(want, text);
    }
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= ANSWERS_KEPT) break;
      this.answers.delete(oldest);
    }
    if (!waiting.size) return;
    this.changed([...waiting]);
    if (this.pending.size) this.send();
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

/** Returns a choice of views: `label` names it, `current` is chosen. */
function viewChoice(label, current, choose, key) {
  const options = Object.entries(VIEWS).map(([view, word]) => el("option", { value: view, selected: view === current }, word));
  const box = el("select.views", { "aria-label": label, title: VIEW_MEANINGS, onchange: (event) => choose(event.target.value) }, options);
  return keyed(box, key);
}
