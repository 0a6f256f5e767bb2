// A list of any length, of which only what is on screen is in the document.
//
// Rows have any height. Until a row has been seen its height is an estimate; a row that turns out taller or shorter
// moves what is below it, never what the reader is looking at.

/** Sums of heights: one in O(log n), the row at an offset in O(log n). Heights are in CSS pixels. */
class Heights {
  constructor(count, heightOf) {
    this.count = count;
    this.values = new Float64Array(count);
    this.tree = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) this.values[i] = heightOf(i);
    for (let i = 1; i <= count; i++) {
      this.tree[i] += this.values[i - 1];
      const parent = i + (i & -i);
      if (parent <= count) this.tree[parent] += this.tree[i];
    }
    this.top = 1;
    while (this.top * 2 <= count) this.top *= 2;
  }

  set(index, height) {
    const change = height - this.values[index];
    this.values[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.tree[i] += change;
  }

  /** Returns the sum of the heights of the rows before `index`. */
  before(index) {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.tree[i];
    return sum;
  }

  /** Returns the row at an offset, and the last row for one beyond the end. */
  at(offset) {
    let position = 0;
    let rest = offset;
    for (let step = this.top; step > 0; step >>= 1) {
      if (position + step <= this.count && this.tree[position + step] <= rest) {
        position += step;
        rest -= this.tree[position];
      }
    }
    return Math.min(position, this.count - 1);
  }
}

const INSET = 8; // the scroller's padding above and below the rows, in pixels
const REMAINDER = 120; // how much of a row stays in view when it is folded up under the reader, in pixels

class VirtualList {
  /**
   * `scroller` scrolls `content`, which is ours. `estimate(i)` is a height in pixels; `render(i)` makes a row's element;
   * rows in `hidden` are not shown; `onScroll(first visible row)` follows each frame. With `fixed`, every row is as high
   * as estimated, and none is measured.
   */
  constructor({ scroller, content, count, estimate, render, onScroll, hidden = new Set(), overscan = 240, fixed = false }) {
    Object.assign(this, { scroller, content, count, render, onScroll, hidden, overscan, fixed });
    this.heightOf = (index) => (this.hidden.has(index) ? 0 : estimate(index));
    this.heights = new Heights(count, this.heightOf);
    this.rows = new Map();
    this.indexes = new WeakMap();
    this.observer = new ResizeObserver((entries) => this.resized(entries));
    this.observer.observe(scroller);
    this.width = 0;
    this.scheduled = 0;
    this.scrolled = () => this.schedule();
    scroller.addEventListener("scroll", this.scrolled, { passive: true });
    this.update();
  }

  destroy() {
    cancelAnimationFrame(this.scheduled);
    this.observer.disconnect();
    this.scroller.removeEventListener("scroll", this.scrolled);
    this.content.replaceChildren();
  }

  schedule() {
    if (this.scheduled) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      this.update();
    });
  }

  /** Something changed size: the view, or a row that was opened. New rows report too, with the height that was measured. */
  resized(entries) {
    const isMeasured = ({ target, borderBoxSize }) => {
      const height = this.heights.values[this.indexes.get(target)];
      return target !== this.scroller && Math.abs(borderBoxSize[0].blockSize - height) < 0.25;
    };
    if (entries.every(isMeasured)) return;
    const width = this.scroller.clientWidth;
    if (width !== this.width && this.width && this.scroller.clientHeight) {
      const { row, offset } = this.anchor();
      this.heights = new Heights(this.count, this.heightOf);
      this.scroller.scrollTop = this.heights.before(row) + offset;
    }
    this.width = width;
    this.update();
  }

  anchor() {
    const row = this.heights.at(this.scroller.scrollTop);
    return { row, offset: this.scroller.scrollTop - this.heights.before(row) };
  }

  /** Brings the document to what the scroll position shows. Repeats while measuring has moved the edges. */
  update() {
    if (!this.count || !this.scroller.clientHeight) return;
    for (let round = 0; round < 5; round++) {
      this.fill();
      if (this.fixed || !this.measure()) break;
    }
    this.onScroll?.(this.topRow());
  }

  /** Returns the row that stands at the top of the view, as `scrollTo` puts it there. */
  topRow() {
    return this.heights.at(this.scroller.scrollTop + 1);
  }

  fill() {
    const top = this.scroller.scrollTop;
    const first = this.heights.at(Math.max(0, top - this.overscan));
    const last = this.heights.at(top + this.scroller.clientHeight + this.overscan);
    for (const [index, node] of this.rows) {
      if (index < first || index > last || !this.heights.values[index]) this.drop(index, node);
    }
    let next = this.content.firstChild;
    for (let index = first; index <= last; index++) {
      if (!this.heights.values[index]) continue;
      const there = this.rows.get(index);
      if (there) {
        next = there.nextSibling;
        continue;
      }
      const node = this.render(index);
      this.content.insertBefore(node, next);
      this.keep(index, node);
    }
    this.pad(first, last);
  }

  keep(index, node) {
    this.rows.set(index, node);
    this.indexes.set(node, index);
    if (!this.fixed) this.observer.observe(node);
  }

  pad(first, last) {
    this.first = first;
    this.last = last;
    this.content.style.paddingTop = `${this.heights.before(first)}px`;
    this.content.style.paddingBottom = `${this.heights.before(this.count) - this.heights.before(last + 1)}px`;
  }

  /** Takes the true heights over; true when any differed. The row at the top of the view stays where it is. */
  measure() {
    const { row, offset } = this.anchor();
    const measured = [...this.rows].map(([index, node]) => [index, node.getBoundingClientRect().height]);
    let changed = false;
    for (const [index, height] of measured) {
      // A row without height would count as hidden.
      const used = Math.max(height, 1);
      if (Math.abs(used - this.heights.values[index]) < 0.25) continue;
      this.heights.set(index, used);
      changed = true;
    }
    if (!changed) return false;
    this.pad(this.first, this.last);
    // A row that was folded up may end above where the reader stood in it: its end is shown then.
    const height = this.heights.values[row];
    const top = this.heights.before(row) + (offset < height ? offset : Math.max(0, height - REMAINDER));
    if (Math.abs(top - this.scroller.scrollTop) >= 1) this.scroller.scrollTop = top;
    return true;
  }

  drop(index, node) {
    this.observer.unobserve(node);
    this.rows.delete(index);
    node.remove();
  }

  /** Renders rows anew, those that are in the document; keyboard focus in one returns to the like element. */
  refresh(...indexes) {
    for (const index of indexes) {
      const node = this.rows.get(index);
      if (node) this.replace(index, node);
    }
    this.update();
  }

  replace(index, node) {
    const focused = this.content.getRootNode().activeElement;
    const focusKey = focused && node.contains(focused) ? focused.dataset.key : undefined;
    const fresh = this.render(index);
    this.observer.unobserve(node);
    node.replaceWith(fresh);
    this.keep(index, fresh);
    const like = focusKey && [...fresh.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focusKey);
    if (like) like.focus({ preventScroll: true });
  }

  refreshAll() {
    this.refresh(...this.rows.keys());
  }

  /** Hides or shows rows. */
  hide(indexes, hidden) {
    for (const index of indexes) {
      if (hidden) this.hidden.add(index);
      else this.hidden.delete(index);
      this.heights.set(index, this.heightOf(index));
    }
    this.update();
  }

  /** Scrolls a row to the top of the view; settles on true heights before it returns. */
  scrollTo(index) {
    for (let round = 0; round < 4; round++) {
      const target = this.heights.before(index);
      if (Math.abs(this.scroller.scrollTop - target) < 1 && round) break;
      this.scroller.scrollTop = target;
      this.update();
    }
  }

  /** Scrolls as little as needed to have a row in view. */
  reveal(index) {
    const top = this.heights.before(index);
    const bottom = top + this.heights.values[index];
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (bottom + 2 * INSET > scrollTop + clientHeight) this.scroller.scrollTop = bottom + 2 * INSET - clientHeight;
    else return;
    this.update();
  }
}
