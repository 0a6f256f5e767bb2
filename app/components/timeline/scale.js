// Time to pixels. Where idle time is compressed, each long gap between two busy stretches takes the same narrow width.

const GAP_LEAST_MS = 1000;
const GAP_SHARE = 0.04; // of the busy time: what a gap has to exceed to be compressed
const GAP_WIDTH = 0.06; // of the busy time: what a compressed gap is lanes as

class Scale {
  /** `spans` are [start, end] of everything that is lanes, in milliseconds. */
  constructor(spans, compress) {
    const busy = [];
    for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0])) {
      const last = busy.at(-1);
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else busy.push([start, end]);
    }
    const total = busy.reduce((sum, [start, end]) => sum + end - start, 0) || 1;
    const least = Math.max(GAP_LEAST_MS, total * GAP_SHARE);
    this.gaps = [];
    this.times = [busy[0]?.[0] ?? 0];
    this.units = [0];
    busy.forEach(([start, end], n) => {
      if (n) {
        const gap = start - busy[n - 1][1];
        const long = gap > least;
        if (long) this.gaps.push({ from: busy[n - 1][1], to: start });
        this.#knot(start, long && compress ? Math.min(gap, total * GAP_WIDTH) : gap);
      }
      this.#knot(end, end - start);
    });
    this.length = this.units.at(-1) || 1;
  }

  #knot(time, width) {
    this.times.push(time);
    this.units.push(this.units.at(-1) + width);
  }

  /** Returns the position of a time, in units: milliseconds, less what is compressed. */
  unit(time) {
    return between(this.times, this.units, time);
  }

  time(unit) {
    return between(this.units, this.times, unit);
  }
}

/** `to` at `value` of `from`: both rise, and are straight between their knots. */
function between(from, to, value) {
  let low = 0;
  let high = from.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle] < value) low = middle + 1;
    else high = middle;
  }
  if (low === 0 || value >= from[low]) return to[low] + (low === from.length - 1 ? Math.max(0, value - from[low]) : 0);
  const width = from[low] - from[low - 1];
  return to[low - 1] + (width ? ((value - from[low - 1]) / width) * (to[low] - to[low - 1]) : 0);
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 108e5, 216e5, 864e5];

/** Returns round times in [from, to], at least `apart` pixels from each other, each with a label that no other has. */
function ticks(scale, pixels, from, to, apart) {
  const step = STEPS.find((one) => one * pixels >= apart) ?? STEPS.at(-1);
  const marks = [];
  let reached = -Infinity;
  for (let time = Math.ceil(from / step) * step; time <= to && marks.length < 200; time += step) {
    const gap = scale.gaps.find((one) => time > one.from && time < one.to);
    if (gap) {
      time = Math.floor(gap.to / step) * step; // none inside: what is compressed has no even scale
      continue;
    }
    const x = scale.unit(time) * pixels;
    if (x - reached < apart) continue;
    reached = x;
    marks.push({ x, label: tickLabel(time, step) });
  }
  return marks;
}

/** Names a multiple of `step`, both in whole milliseconds, as exactly as the step needs: `250 ms`, `1.25 s`, `1 h 2 min 30 s`. */
function tickLabel(time, step) {
  if (time === 0) return "0";
  if (time < 1000) return `${time} ms`;
  const digits = [1000, 100, 10, 1].findIndex((unit) => step % unit === 0);
  const hours = Math.floor(time / 36e5);
  const minutes = Math.floor((time % 36e5) / 6e4);
  const seconds = (time % 6e4) / 1000;
  return [hours && `${hours} h`, minutes && `${minutes} min`, seconds && `${decimal(seconds, digits)} s`].filter(Boolean).join(" ");
}
