// The component: one chain of the log as the card that the transcript has for it, the chosen call marked among its attempts.

const TABLE = ".st-key-run-calls"; // the log beside the card
const MOST_FRAMES = 300; // that the table is waited for
const LEAST_ROW_PX = 20; // a table that is lower than its rows has not drawn them yet

class CallCard {
  constructor(root) {
    this.root = root;
    this.decisive = null;
    this.find = { marksOf: () => null }; // the page has no find of its own
  }

  load({ run_id, chain, calls, chains, suggestions, attributed }) {
    this.views?.destroy();
    const bySequence = [];
    for (const call of calls) bySequence[call.sequence] = call;
    const items = [{ type: "log", chain, apart: false }];
    this.model = new TranscriptModel({ run_id, judge_passed: null, has_log: true, items, calls: bySequence, chains, suggestions });
    this.model.attributed = attributed;
    this.view = { open: new Set(), windows: new Map(), trees: new Map(), turned: new Set(), selected: null, attempt: null };
    this.views = new Views(run_id, () => {}, () => this.refresh());
    this.shown = null;
  }

  /** Marks the chosen call, if it is not the last attempt, which the card shows anyway; and the decisive step. */
  show(chosen, decisive) {
    if (this.shown === chosen && this.decisive === decisive) return;
    const isEarlier = chosen !== this.model.cards[0][0].receipt.sequence;
    if (this.shown !== chosen && isEarlier) this.view.open.add("0/0.attempts");
    this.view.attempt = isEarlier ? chosen : null;
    Object.assign(this, { shown: chosen, decisive });
    this.refresh();
  }

  destroy() {
    this.views?.destroy();
    cancelAnimationFrame(this.frame);
  }

  /** Brings the row of the chosen call into sight in the table of all `rows`, which Streamlit shows from its first row on,
   * whichever is selected. Who chose it in the table itself, which may be sorted, sees it already. */
  showRow(chosen, rows, frames = MOST_FRAMES) {
    if (this.row === chosen) return;
    cancelAnimationFrame(this.frame);
    const table = document.querySelector(TABLE);
    const scroller = table?.querySelector(".dvn-scroller");
    if (!(scroller?.scrollHeight > rows * LEAST_ROW_PX)) {
      if (frames) this.frame = requestAnimationFrame(() => this.showRow(chosen, rows, frames - 1));
      return;
    }
    const isFirst = this.row === undefined;
    this.row = chosen;
    if (!isFirst && table.matches(":hover, :focus-within")) return;
    const height = scroller.scrollHeight / (rows + 1); // of a row, and of the header
    const isInSight = chosen * height >= scroller.scrollTop && (chosen + 2) * height <= scroller.scrollTop + scroller.clientHeight;
    if (!isInSight) scroller.scrollTop = chosen * height - scroller.clientHeight / 3;
  }

  /** Draws the card again; what had the focus keeps it. */
  refresh() {
    const key = this.root.getRootNode().activeElement?.dataset?.key;
    this.root.replaceChildren(callCard(this, 0, 0));
    if (key) this.root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  goTo() {
    this.root.scrollIntoView({ block: "nearest" });
  }

  jump(path) {
    this.reportJump({ path });
  }

  decide(path) {
    this.reportDecisive({ path });
  }

  copy(text, button) {
    copyText(text, button, () => {});
  }

  /** Copies the address of the page at a call. */
  link(path, button) {
    const address = new URL(window.location.href);
    address.searchParams.set("step", path);
    copyText(address.href, button, () => {});
  }
}

export default function (component) {
  return mountView(component, "call-card", CallCard, {
    prepare(view) {
      view.reportJump = (place) => component.setTriggerValue("jump", place);
      view.reportDecisive = (choice) => component.setTriggerValue("decisive", choice);
    },
    finish(view, { chosen, decisive, rows }) {
      view.show(chosen, decisive);
      view.showRow(chosen, rows);
    },
  });
}
