// Numbers and durations. They round like `app/formatting.py` (halves up), whatever the language of the browser.

/** Formats a number with this many decimals and grouped thousands. */
function decimal(number, digits = 0) {
  const [whole, fraction] = number.toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function count(number) {
  return decimal(number);
}

/** `plural(1, "attempt")` is "1 attempt", `plural(1200, "attempt")` is "1,200 attempts". */
function plural(number, noun, ending = "s") {
  return `${count(number)} ${noun}${number === 1 ? "" : ending}`;
}

/** Formats a share of 1: `12.5 %`. */
function percent(share, digits = 1) {
  return `${decimal(100 * share, digits)} %`;
}

/** Formats a duration in the unit that suits it: `0.35 ms`, `13 ms`, `1.3 s`, `2 min 5 s`, `1 h 2 min`. */
function duration(ms) {
  // A value that would round up to the next unit is written in that.
  if (ms < 0.995) return `${Number(decimal(ms, 2))} ms`;
  if (ms < 999.5) return `${decimal(ms)} ms`;
  if (ms < 59_950) return `${decimal(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
