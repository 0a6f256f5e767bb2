// The component: joins the parts, remembers what is open, and reports to the page.

const NEXT_FAILURE = "The next failure (d), the one before (Shift+D)";
const NOTHING_FAILED = "No call failed, and no finding is an error.";
const WITHOUT_FAILURE = {
  true: NOTHING_FAILED,
  false: `${NOTHING_FAILED} The judge failed the run nevertheless: hold its answer against the task.`,
  null: `${NOTHING_FAILED} The run was not judged.`,
};
const SHRINKS_BELOW = 200; // pixels scrolled, beyond which the head of the page gives its room to the transcript
const GROWS_ABOVE = 8;
const HEAD_PX = 220; // more than the head can give

class Transcript {
  constructor(root) {
    this.root = root;
    this.decisive = null;
    this.byName = (name) => root.querySelector(`[data-part="${name}"]`);
    this.listen();
  }

  /** Replaces what was shown of another run, or of an older state of this one. */
  load(data) {
    this.unload();
    this.model = new TranscriptModel(data);
    this.view = { open: new Set(), windows: new Map(), trees: new Map(), turned: new Set(), selected: null, attempt: null, logOpen: false };
    this.byName("decide").hidden = true;
    this.loadViews(data.run_id);
    const { items, heading } = this.model;
    const folded = items.flatMap((item, at) => (item.type === "log" && item.apart ? [at] : []));
    this.apart = folded;
    this.byName("find").value = "";
    this.find = new Find(this, { input: this.byName("find"), status: this.byName("count") });
    this.failure = null;
    this.target = null;
    this.focusNumber = 0;
    const failures = this.model.failures.length;
    const button = this.byName("failure");
    button.textContent = failures ? `Next failure (${count(failures)})` : "No failed step";
    button.title = failures ? NEXT_FAILURE : WITHOUT_FAILURE[String(data.judge_passed)];
    button.disabled = !failures;
    const scroller = this.byName("scroll");
    scroller.scrollTop = 0;
    this.list = new VirtualList({
      scroller,
      content: this.byName("items"),
      count: items.length,
      hidden: new Set(heading < 0 ? [] : folded),
      estimate: (at) => estimateHeight(this.model, at, scroller.clientWidth),
      render: (at) => renderItem(this, at),
      onScroll: (at) => {
        this.shrinkHead(scroller);
        this.outline?.follow(this.target?.to === scroller.scrollTop ? this.target.at : at);
      },
    });
    this.outline = new Outline(this, this.byName("outline"));
    this.outline.follow(this.topItem());
  }

  /** Tells the page (`style.css`) whether one reads on: it then folds its head. What is barely longer than the view would
   * no longer scroll then, and the head come back at once. */
  shrinkHead({ scrollTop, scrollHeight, clientHeight }) {
    const { dataset } = document.documentElement;
    if (scrollTop < GROWS_ABOVE) delete dataset.readingOn;
    else if (scrollTop > SHRINKS_BELOW && scrollHeight > clientHeight + SHRINKS_BELOW + HEAD_PX) dataset.readingOn = "";
  }

  /** Keeps the view that was chosen for the whole transcript from run to run. */
  loadViews(run) {
    const common = this.views?.common ?? "formatted";
    this.views = new Views(run, (request) => this.report("request", request), (items) => this.redraw(items));
    this.views.chooseAll(common);
    this.showView();
  }

  /** Shows which view is chosen for all messages; the button turns between laid out and exact. */
  showView() {
    const { common } = this.views;
    this.byName("views").replaceChildren(viewChoice("View of all messages", common, (view) => this.chooseView(view), "views"));
    this.byName("exact").setAttribute("aria-pressed", String(common === "exact"));
  }

  /** Shows all messages so; the one at the top stays in its place. */
  chooseView(view) {
    this.views.chooseAll(view);
    this.showView();
    this.list.refreshAll();
  }

  listen() {
    const find = this.byName("find");
    find.oninput = () => this.find.typed();
    find.onkeydown = (event) => {
      if (event.key === "Enter") this.find.step(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.leaveFind();
      else return;
      event.preventDefault();
    };
    this.byName("previous").onclick = () => this.find.step(-1);
    this.byName("next").onclick = () => this.find.step(1);
    this.byName("failure").onclick = () => this.nextFailure(1);
    this.byName("decide").onclick = () => this.decide(this.view.selected);
    this.byName("exact").onclick = () => this.chooseView(this.views.common === "exact" ? "formatted" : "exact");
    this.byName("scroll").onclick = (event) => this.clicked(event);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  destroy() {
    delete document.documentElement.dataset.readingOn;
    document.removeEventListener("keydown", this.keys);
    clearTimeout(this.announcing);
    this.unload();
  }

  /** Stops what belongs to the run that was shown: its rows, timers and indexes mean nothing in another one. */
  unload() {
    this.find?.clear();
    this.views?.destroy();
    this.outline?.destroy();
    this.list?.destroy();
    this.outline = null;
  }

  key(event) {
    if (keyIsTaken(event) || !this.root.checkVisibility()) return;
    if (event.key === "/") this.byName("find").select();
    else if (/^[dne]$/i.test(event.key)) this.nextFailure(event.shiftKey ? -1 : 1);
    else if (event.key === "." || event.key === ",") this.nextStep(event.key === "." ? 1 : -1);
    else return;
    event.preventDefault();
  }

  leaveFind() {
    this.byName("find").value = "";
    this.find.search("");
    this.byName("scroll").focus();
  }

  topItem() {
    return this.list.topRow();
  }

  refresh(at) {
    this.list.refresh(at);
  }

  goTo(at) {
    if (this.list.hidden.has(at)) this.openLog(true);
    this.list.scrollTo(at);
    this.arrive(at);
  }

  /** Keeps the row that was gone to in the outline, even one too near the end to come to the top, until one scrolls on. */
  arrive(at) {
    this.target = { at, to: this.byName("scroll").scrollTop };
    this.outline.follow(at);
  }

  /** Draws items again whose texts have come. The row that was gone to stays where it is, until one scrolls on. */
  redraw(items) {
    const scroller = this.byName("scroll");
    const at = this.target?.to === scroller.scrollTop ? this.target.at : null;
    const offset = at === null ? 0 : this.list.heights.before(at) - scroller.scrollTop;
    this.list.refresh(...items);
    if (at === null) return;
    scroller.scrollTop = this.list.heights.before(at) - offset;
    this.list.update();
    this.arrive(at);
  }

  openLog(open) {
    this.view.logOpen = open;
    this.list.hide(this.apart, !open);
    this.outline.list.hide(this.apart, !open);
    this.list.refresh(this.model.heading);
  }

  /** Goes to the message, call or entry after the one at the top (or before it), past what is hidden. */
  nextStep(by) {
    const last = this.model.items.length - 1;
    let at = (this.target?.to === this.byName("scroll").scrollTop ? this.target.at : this.topItem()) + by;
    while (this.list.hidden.has(at)) at += by;
    if (at < 0 || at > last) return;
    const path = itemPath(this.model, at);
    if (path) this.mark(path, null);
    this.goTo(at);
    this.say(itemLabel(this.model, at));
  }

  /** Goes to the failure after (or before) the one last shown, at first the one below the top of the view; goes round. */
  nextFailure(by) {
    const { failures } = this.model;
    if (!failures.length) return;
    if (this.failure === null) {
      const below = failures.findIndex(({ at }) => at >= this.topItem());
      this.failure = (below < 0 ? 0 : below) - (by > 0 ? 1 : 0);
    }
    this.failure = (this.failure + by + failures.length) % failures.length;
    this.jump(failures[this.failure].path);
    this.byName("failure").textContent = `Failure ${count(this.failure + 1)} of ${count(failures.length)}`;
  }

  /** Goes to a path and outlines it. Paths that the transcript does not show are left alone. */
  jump(path) {
    const place = this.model.locate(path);
    if (!place) return;
    if (place.attempt !== null && place.attempt !== undefined) this.openAttempts(place);
    this.mark(place.path, place.attempt ?? null);
    this.goTo(place.at);
    this.bringIntoView(place.at, `[data-path="${CSS.escape(place.path)}"]`);
  }

  openAttempts({ at, path }) {
    const n = this.model.cards[at].findIndex((card) => card.path === path);
    this.view.open.add(`${at}/${n}.attempts`);
  }

  mark(path, attempt) {
    this.view.selected = path;
    this.view.attempt = attempt;
    this.byName("decide").hidden = path === null;
    this.list.refreshAll();
  }

  /** Reports to the page what the reader has chosen. */
  select(path) {
    this.mark(path, null);
    this.report("selected", { run: this.model.data.run_id, path });
  }

  /** Makes a step the one that decided the run: the page keeps it. */
  decide(path) {
    this.mark(path, null);
    this.reportDecisive({ run: this.model.data.run_id, path });
    this.say("Decisive step");
  }

  copy(text, button) {
    copyText(text, button, (words) => this.say(words));
  }

  /** Chooses a step and copies the address of the page at it: of the run, and the list that it was opened from. */
  link(path, button) {
    const address = new URL(window.location.href);
    address.searchParams.delete("panel");
    address.searchParams.set("step", path);
    // The page draws the transcript anew when it hears of the choice; the button is to stay until it has copied.
    copyText(address.href, button, (words) => this.say(words === "Copied" ? "Link copied" : words));
    this.select(path);
  }

  /** Announces to a screen reader. */
  say(words) {
    const box = this.byName("announcement");
    box.textContent = words;
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (box.textContent = ""), 4000);
  }

  /** Selects the message or card that was clicked, unless something in it was meant, or its text was selected. */
  clicked(event) {
    const target = event.target;
    if (target.closest("button, a, img, input, select")) return;
    const selection = this.root.getRootNode().getSelection?.() ?? document.getSelection();
    if (selection && !selection.isCollapsed) return;
    const path = target.closest("[data-path]")?.dataset.path;
    if (path && path !== this.view.selected) this.select(path);
  }

  /** Opens whatever hides a section of an item. */
  open(at, key) {
    if (this.list.hidden.has(at)) this.openLog(true);
    const [n, sequence] = key.split(".");
    const card = this.model.cards[at][Number(n)];
    if (card && /^\d+$/.test(sequence) && Number(sequence) !== card.receipt?.sequence) this.view.open.add(`${at}/${n}.attempts`);
    this.view.open.add(`${at}/${key.replace(/^(\d+\.\d+)\.(validation|extra)$/, "$1.more")}`);
    this.view.open.add(`${at}/${key.startsWith("thinking") ? "thinking" : key.replace(/\.rest$/, "")}.thinking`);
  }

  showMark(at) {
    this.list.scrollTo(at);
    this.bringIntoView(at, "mark.current");
  }

  /** Scrolls an element of an item to a third of the view, when it is not in sight at the top of its item. */
  bringIntoView(at, selector) {
    const node = this.list.rows.get(at);
    const target = node?.matches(selector) ? node : node?.querySelector(selector);
    if (!target) return;
    const scroller = this.byName("scroll");
    const view = scroller.getBoundingClientRect();
    const box = target.getBoundingClientRect();
    if (box.top >= view.top && Math.min(box.bottom, box.top + 120) <= view.bottom) return;
    scroller.scrollTop += box.top - view.top - view.height / 3;
    this.list.update();
    this.arrive(at);
  }
}

/** Returns a first guess at a row's height, in pixels. Its only use is a scroll bar that does not jump much. */
function estimateHeight(model, at, width) {
  const item = model.items[at];
  if (model.answeredCard(item)) return 24;
  const perLine = Math.max(30, (width || 800) / 7);
  const most = item.role === "system" ? 8 : 60;
  const text = item.content ?? item.text ?? "";
  const lines = Math.min(most, Math.ceil(Math.min(text.length, 4000) / perLine));
  return 52 + lines * 21 + model.cards[at].length * 150;
}

/** Gives the component its height: pixels, or all that its place has, for which what Streamlit puts around it has to pass it on. */
function setHeight(root, height) {
  if (height !== "stretch") root.style.height = `${height}px`;
  else for (let node = root; node; node = node.parentElement) node.style.height = "100%";
}

export default function (component) {
  return mountView(component, "transcript", Transcript, {
    prepare(view, { height }) {
      view.report = component.setStateValue;
      view.reportDecisive = (choice) => component.setTriggerValue("decisive", choice);
      setHeight(view.root, height);
    },
    finish(view, { decisive, answers, focus }) {
      if (view.decisive !== decisive) {
        view.decisive = decisive;
        view.list.refreshAll();
      }
      if (answers !== null) view.views.receive(answers.run, answers.texts);
      if (focus !== null && view.focusNumber !== focus.number) {
        view.focusNumber = focus.number;
        view.jump(focus.path);
      }
    },
  });
}
