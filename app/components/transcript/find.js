// Find in run: over every text of the run, also of what is not rendered. Searches in slices, so that typing stays fluid.

const SLICE_MS = 12;
const MOST_MATCHES = 100_000;
const CONTEXT = 300; // characters shown after a match in a folded text

class Find {
  constructor(ctx, { input, status }) {
    this.ctx = ctx;
    this.input = input;
    this.status = status;
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.query = "";
    this.pattern = null;
    this.matches = []; // {at, key, ordinal, end}, in the order of the transcript
    this.items = new Set(); // those with a match
    this.position = -1;
    this.done = true;
    this.status.textContent = "";
  }

  /** Starts over with what stands in the input. */
  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(this.input.value), 120);
  }

  search(query) {
    this.clear();
    this.query = query;
    this.pattern = pattern(query);
    this.ctx.list.refreshAll();
    if (!this.pattern) return;
    this.done = false;
    this.origin = this.ctx.topItem();
    this.slice(0);
  }

  slice(from) {
    const { items } = this.ctx.model;
    const end = performance.now() + SLICE_MS;
    let at = from;
    while (at < items.length && performance.now() < end && this.matches.length < MOST_MATCHES) this.scan(at++);
    this.done = at >= items.length || this.matches.length >= MOST_MATCHES;
    if (this.position < 0) {
      const first = this.matches.findIndex((match) => match.at >= this.origin);
      if (first >= 0 || (this.done && this.matches.length)) this.stand(Math.max(first, 0));
    }
    this.report();
    if (!this.done) this.timer = setTimeout(() => this.slice(at));
  }

  scan(at) {
    for (const { key, text } of this.ctx.model.sections(at)) {
      this.pattern.lastIndex = 0;
      for (let ordinal = 0, match; (match = this.pattern.exec(text)); ordinal++) {
        this.matches.push({ at, key, ordinal, end: match.index + match[0].length });
        this.items.add(at);
      }
    }
  }

  report() {
    const total = this.matches.length;
    const more = this.done ? (total >= MOST_MATCHES ? " or more" : "") : " so far";
    if (!this.pattern) this.status.textContent = "";
    else if (!total) this.status.textContent = this.done ? "no matches" : "searching";
    else this.status.textContent = `${count(this.position + 1)} of ${count(total)}${more}${total > 1 ? ` in ${plural(this.items.size, "place")}` : ""}`;
  }

  step(by) {
    if (this.input.value !== this.query) this.search(this.input.value);
    else if (this.matches.length) {
      this.stand((this.position + by + this.matches.length) % this.matches.length);
      this.report();
    }
  }

  /** Makes a match the current one: opens what hides it, and brings it into view. */
  stand(position) {
    const before = this.matches[this.position];
    this.position = position;
    const match = this.matches[position];
    if (before && before.at !== match.at) this.ctx.list.refresh(before.at);
    this.ctx.open(match.at, match.key);
    this.ctx.list.refresh(match.at);
    this.ctx.showMark(match.at);
  }

  /** Returns what is to be marked in the text of a section: the pattern, the ordinal of the current match (or -1), and how far
   * to show; null for a text without a match. */
  marksOf(at, key, text) {
    if (!this.pattern) return null;
    this.pattern.lastIndex = 0;
    if (!this.pattern.test(text)) return null;
    const match = this.matches[this.position];
    const here = match !== undefined && match.at === at && match.key === key;
    return { pattern: this.pattern, current: here ? match.ordinal : -1, upTo: here ? match.end + CONTEXT : 0 };
  }
}
