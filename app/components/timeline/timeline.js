// The component: lanes and their bars, of which only those in sight are in the document.

const LABEL_PX = 210;
const TRACK_PX = 24;
const LANE_PAD_PX = 8;
const AXIS_PX = 30;
const NAMED_PX = 46; // of a lane with words below its name
const IDLE_PX = 22; // below the lanes: how long nothing ran
const LEAST_APART_PX = 74;
const LEAST_PX = 5; // of a bar: what can be hit
const TICK_PX = 84;
const MOST_PX = 4_000_000; // browsers draw nothing beyond

class Timeline {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.box = this.part("scroll");
    this.part("gaps").onclick = () => this.compress(!this.compressed);
    this.part("chains").onclick = () => this.turnAll();
    this.part("in").onclick = () => this.zoom(2);
    this.part("out").onclick = () => this.zoom(0.5);
    this.part("fit").onclick = () => this.fit();
    this.box.onscroll = () => this.later();
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.box.onclick = (event) => this.clicked(event.target);
    this.box.onkeydown = (event) => this.key(event);
    this.box.onmouseover = (event) => this.describe(event.target);
    this.box.onfocusin = (event) => this.describe(event.target);
    this.sized = new ResizeObserver(() => this.resized());
    this.sized.observe(this.box);
  }

  load(data) {
    this.model = new TimelineModel(data);
    this.timed = data.began !== null;
    this.compressed = true;
    this.head(data);
    this.measure();
    this.fit();
  }

  destroy() {
    this.sized.disconnect();
    cancelAnimationFrame(this.frame);
  }

  head({ figures, began, bars }) {
    const words = [["wall", "wall time"], ["calls", "in calls"], ["waits", "waited between attempts"], ["idle", "idle"], ["parallel", "saved in parallel"]];
    this.measured = began !== null || bars.some((bar) => bar.ms !== undefined);
    const nonzero = words.filter(([name]) => figures[name] > 0 || (name === "calls" && this.measured));
    this.part("figures").replaceChildren(...nonzero.flatMap(([name, word], n) => [n ? " · " : "", el("b", null, duration(figures[name])), ` ${word}`]));
    const unknown = bars.filter((bar) => bar.ms === undefined).length;
    const missing = unknown && this.measured ? ` ${plural(unknown, "call")} without a latency: dashed.` : "";
    const order = this.measured ? "The log has no times: calls in order, width is latency." : "The log has neither times nor latencies: calls in order.";
    const beside = figures.runtime === undefined ? "" : ` ${spanWords(figures)}`;
    this.part("note").textContent = (began === null ? order : `Begins ${visible(began)}.`) + beside + missing;
    this.part("chains").hidden = !this.model.chains.length;
  }

  measure() {
    this.scale = new Scale(this.model.spans(), this.compressed);
    const gaps = this.part("gaps");
    gaps.hidden = !this.scale.gaps.length;
    gaps.setAttribute("aria-pressed", String(this.compressed));
  }

  plotWidth() {
    return Math.max(200, this.box.clientWidth - LABEL_PX - 16);
  }

  resized() {
    if (!this.model) return;
    if (this.fitted) this.fit();
    else this.later();
  }

  fit() {
    this.pixels = this.plotWidth() / this.scale.length;
    this.fitted = true;
    this.box.scrollLeft = 0;
    this.draw();
  }

  compress(on) {
    this.compressed = on;
    this.measure();
    this.fit();
  }

  turnAll() {
    this.model.turnAll(this.model.open.size === 0);
    this.draw();
  }

  /** Zooms by `factor` and keeps what is `x` pixels into the plot where it is. */
  zoom(factor, x = this.plotWidth() / 2) {
    const unit = (this.box.scrollLeft + x) / this.pixels;
    const least = this.plotWidth() / this.scale.length;
    this.pixels = Math.min(Math.max(this.pixels * factor, least), Math.max(least, Math.min(MOST_PX / this.scale.length, 40)));
    this.fitted = this.pixels === least;
    this.draw();
    this.box.scrollLeft = unit * this.pixels - x;
    this.later();
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - this.box.getBoundingClientRect().left - LABEL_PX);
  }

  x(time) {
    return this.scale.unit(time) * this.pixels;
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { box, model } = this;
    const width = Math.max(this.plotWidth(), this.scale.length * this.pixels);
    this.part("plot").style.width = `${LABEL_PX + width + 12}px`;
    this.from = box.scrollLeft - 100;
    this.to = box.scrollLeft + this.plotWidth() + 100;
    this.axis();
    const held = this.root.getRootNode().activeElement?.dataset?.what;
    const lanes = [];
    let top = AXIS_PX;
    model.lanes.forEach((lane, at) => {
      const rows = model.rows(lane);
      const height = Math.max(rows.length * TRACK_PX + LANE_PAD_PX, laneWords(lane) ? NAMED_PX : 0);
      if (top + height > box.scrollTop && top < box.scrollTop + box.clientHeight) lanes.push(this.lane(lane, at, rows, top, height));
      top += height;
    });
    if (this.scale.gaps.length) {
      lanes.push(this.idle(top));
      top += IDLE_PX;
    }
    this.part("plot").style.height = `${top}px`;
    box.style.height = `${Math.min(this.most, top + 18)}px`;
    this.part("lanes").replaceChildren(...lanes);
    this.part("chains").textContent = model.open.size ? "Fold chains" : "Unfold chains";
    const bars = [...box.querySelectorAll("button.call")];
    const again = bars.find((bar) => bar.dataset.what === held);
    (again ?? bars[0])?.setAttribute("tabindex", 0);
    again?.focus({ preventScroll: true });
  }

  axis() {
    const from = this.scale.time(Math.max(0, this.from) / this.pixels);
    const to = this.scale.time(this.to / this.pixels);
    const marks = !this.measured ? [] : ticks(this.scale, this.pixels, from, to, TICK_PX).map(({ x, label }) =>
      el("span.tick", { style: `left:${LABEL_PX + x}px` }, label),
    );
    this.part("axis").replaceChildren(el("span.corner", null, this.timed || !this.measured ? "actor" : "actor · latency so far"), ...marks);
  }

  gaps() {
    return this.scale.gaps.map(({ from, to }) => {
      const x = this.x(from);
      const width = this.x(to) - x;
      return { x, width, words: `${duration(to - from)} idle` };
    });
  }

  /** Returns the length of each gap, below it, where there is enough width for the words. */
  idle(top) {
    let reached = -Infinity;
    const labels = this.gaps().flatMap(({ x, width, words }) => {
      const middle = x + width / 2;
      if (middle < this.from || middle > this.to || middle - reached < LEAST_APART_PX) return [];
      reached = middle;
      return [el("span", { style: `left:${middle.toFixed(1)}px` }, words)];
    });
    return el("div.idle-times", { style: `top:${top}px;left:${LABEL_PX}px` }, labels);
  }

  lane(lane, at, rows, top, height) {
    const words = laneWords(lane);
    const name = el("span.who", { title: laneName(lane) }, el(lane.path === "" ? "i" : "code", null, laneName(lane)), words && el(`span.${WORDS.actor[lane.status].tone}`, null, words));
    const idle = this.gaps().map(({ x, width, words: text }) => el("i.idle", { style: `left:${x}px;width:${width}px`, title: text }));
    const plot = el("div.track-area", null, idle, this.ticksOf(at), rows.map((row, index) => this.row(row, index)));
    const calls = lane.items.reduce((sum, item) => sum + item.attempts.length, 0);
    return el("div.lane", { role: "group", "aria-label": [laneName(lane), words, plural(calls, "call")].filter(Boolean).join(", "), style: `top:${top}px;height:${height}px`, "data-lane": at }, name, plot);
  }

  /** Messages and events as fine marks; those of no lane stand in the first. */
  ticksOf(at) {
    const mine = this.model.marks.filter((mark) => (mark.lane ?? 0) === at);
    let reached = -Infinity;
    return mine.flatMap((mark) => {
      const x = this.x(mark.at);
      if (x < this.from || x > this.to || x - reached < 2) return [];
      reached = x;
      return [el("i.mark", { style: `left:${x.toFixed(1)}px`, title: `${visible(mark.word)}, at ${duration(mark.at)}` })];
    });
  }

  row(row, index) {
    const node = el("div.track", { style: `top:${index * TRACK_PX + LANE_PAD_PX / 2}px` });
    if (row.attempts) node.append(...row.attempts.flatMap((attempt) => this.attempt(attempt)));
    else node.append(...this.bars(row.items));
    return node;
  }

  /** Returns the bars of a track; those too close to be told apart become one. */
  bars(items) {
    const nodes = [];
    let crowd = [];
    const flush = () => {
      if (!crowd.length) return;
      const x = this.x(crowd[0].start);
      const width = Math.max(LEAST_PX, this.x(Math.max(...crowd.map((item) => item.end))) - x);
      const [only] = crowd;
      if (crowd.length > 1) nodes.push(crowdButton(crowd, x, width));
      else if (only.attempts.length > 1) nodes.push(chainButton(this, only, x, width));
      else nodes.push(callButton(only.attempts[0], 1, x, width));
      crowd = [];
    };
    for (const item of items) {
      const x = this.x(item.start);
      const end = this.x(item.end);
      if (end < this.from) continue;
      if (x > this.to) break;
      const small = end - x < LEAST_PX;
      const last = crowd.at(-1);
      const close = last && x - this.x(crowd[0].start) < LEAST_PX && this.x(last.end) - this.x(last.start) < LEAST_PX;
      if (!(small && close)) flush();
      crowd.push(item);
    }
    flush();
    return nodes;
  }

  attempt({ item, bar, index }) {
    const x = this.x(bar.at);
    if (x > this.to) return [];
    const width = Math.max(LEAST_PX, this.x(endOf(bar)) - x);
    const nodes = [callButton(bar, item.attempts.length, x, width)];
    if (index) {
      const before = this.x(endOf(item.attempts[index - 1]));
      if (x > before) nodes.unshift(el("i.wait", { style: `left:${before.toFixed(1)}px;width:${(x - before).toFixed(1)}px` }));
    }
    const wait = index ? item.waits[index - 1] : null;
    const labels = [`${index + 1}`, WORDS.outcome[bar.outcome].word, bar.error_class && visible(bar.error_class), wait !== null && wait !== undefined && `after ${duration(wait)}`];
    // A bar far to the right has its caption on its left.
    const late = x + width - this.box.scrollLeft > this.plotWidth() * 0.6;
    const from = index ? Math.min(x, this.x(endOf(item.attempts[index - 1]))) : x;
    const where = late ? `right:calc(100% - ${(from - 6).toFixed(1)}px)` : `left:${(x + width + 6).toFixed(1)}px`;
    nodes.push(el(`span.caption.${WORDS.outcome[bar.outcome].tone}`, { "aria-hidden": "true", style: where }, labels.filter(Boolean).join(" · ")));
    return nodes;
  }

  clicked(target) {
    const what = target.closest("button.call")?.dataset.what;
    if (!what) return;
    const [kind, first, second] = what.split(":");
    if (kind === "call") this.jump(`calls[${first}]`);
    else if (kind === "chain") {
      this.model.toggle(Number(first));
      this.draw();
    } else this.show(Number(first), Number(second));
  }

  /** Zooms in on a stretch of time. */
  show(from, to) {
    const units = Math.max(this.scale.unit(to) - this.scale.unit(from), 1e-3);
    const wanted = (this.plotWidth() * 0.6) / units;
    this.zoom(wanted / this.pixels);
    this.box.scrollLeft = this.x(from) - this.plotWidth() * 0.2;
    this.later();
  }

  describe(target) {
    const bar = target.closest?.("button.call");
    if (!bar) return;
    const lane = this.model.lanes[Number(bar.closest("[data-lane]").dataset.lane)];
    const [title, ...rest] = bar.getAttribute("aria-label").split("; ");
    const actor = [laneName(lane), laneWords(lane)].filter(Boolean).join(", ");
    const words = [...rest, actor].flatMap((word) => [el("i.dot", null, " · "), word]);
    this.part("card").replaceChildren(el("b", null, title), ...words);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const bars = [...this.box.querySelectorAll("button.call")];
    const at = bars.indexOf(this.root.getRootNode().activeElement);
    const actions = {
      ArrowRight: () => this.move(bars[Math.min(at + 1, bars.length - 1)]),
      ArrowLeft: () => this.move(bars[Math.max(at - 1, 0)]),
      ArrowDown: () => this.moveLane(bars, at, 1),
      ArrowUp: () => this.moveLane(bars, at, -1),
      "+": () => this.zoom(2),
      "-": () => this.zoom(0.5),
      0: () => this.fit(),
    };
    if (!(event.key in actions)) return;
    actions[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  move(bar) {
    if (!bar) return;
    this.box.querySelector("button.call[tabindex='0']")?.setAttribute("tabindex", -1);
    bar.setAttribute("tabindex", 0);
    bar.focus();
  }

  /** To the bar of the track above or below that is nearest in time. */
  moveLane(bars, at, step) {
    if (at < 0) return this.move(bars[0]);
    const here = bars[at].getBoundingClientRect();
    const further = bars.filter((bar) => (bar.getBoundingClientRect().top - here.top) * step > 2);
    const distance = (bar) => {
      const there = bar.getBoundingClientRect();
      return Math.abs(there.top - here.top) * 1000 + Math.abs(there.left - here.left);
    };
    this.move(further.sort((one, other) => distance(one) - distance(other))[0]);
  }
}

/** Returns why the wall time is not the running time of the agent that the head of the page shows. */
function spanWords({ wall, runtime }) {
  if (wall > runtime) return `The log spans ${duration(wall)}, more than the agent's ${duration(runtime)}.`;
  return `The log spans ${duration(wall)} of the agent's ${duration(runtime)}.`;
}

export default function (component) {
  return mountView(component, "timeline", Timeline, {
    prepare(view, { height }) {
      view.most = height;
      view.jump = (path) => component.setTriggerValue("jump", { path });
    },
  });
}
