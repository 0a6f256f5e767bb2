// Find in run: over every text of the run, also of what is not rendered. Searches in slices, so that typing stays fluid.

const SLICE_MS = 12;
const MOST_MATCHES = 100_000;

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
    this.inJson = null;
    this.found = new Map(); // item → its matches by section
    this.matches = []; // {at, key, ordinal}, in the order of the transcript
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
    this.inJson = pattern(query, true);
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

  /** Returns the matches of an item, by section: `{start, end}` in the order of its text. Looked for once a query. */
  matchesOf(at) {
    const known = this.found.get(at);
    if (known) return known;
    const sections = new Map();
    for (const { key, text, isJson } of this.ctx.model.sections(at)) {
      const ranges = [];
      const pattern = isJson ? this.inJson : this.pattern;
      pattern.lastIndex = 0;
      for (let match; (match = pattern.exec(text)) && ranges.length < MOST_MATCHES; ) ranges.push({ start: match.index, end: match.index + match[0].length });
      if (ranges.length) sections.set(key, ranges);
    }
    this.found.set(at, sections);
    return sections;
  }

  scan(at) {
    for (const [key, ranges] of this.matchesOf(at)) {
      this.items.add(at);
      for (let ordinal = 0; ordinal < ranges.length && this.matches.length < MOST_MATCHES; ordinal++) this.matches.push({ at, key, ordinal });
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
    uncover(this.ctx, match.at, match.key, this.matchesOf(match.at).get(match.key)[match.ordinal]);
    this.ctx.list.refresh(match.at);
    this.ctx.showMark(match.at);
  }

  /** Returns what is to be marked in the text of a section: its matches, and the number of the current one (or -1); null
   * for a text without a match. */
  marksOf(at, key) {
    const ranges = this.pattern && this.matchesOf(at).get(key);
    if (!ranges) return null;
    const match = this.matches[this.position];
    const here = match !== undefined && match.at === at && match.key === key;
    return { ranges, current: here ? match.ordinal : -1 };
  }
}
