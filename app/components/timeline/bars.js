// Bars, and what they say of themselves.

const LEAST_SEVERE_FIRST = ["ok", "unreadable", "application_error", "injected_failure", "failed"];

function laneName(lane) {
  return lane.path === "" ? WORDS.actor.unattributed.word : visible(lane.path);
}

function laneWords(lane) {
  const status = ["undeclared", "malformed"].includes(lane.status) && WORDS.actor[lane.status].word;
  return [status, lane.suggestion && `did you mean ${visible(lane.suggestion)}?`].filter(Boolean).join(", ");
}

function toolName(bar) {
  return bar.tool ? visible(bar.tool) : "(unreadable)";
}

/** Returns what a call was, in pieces: the card draws them, and a screen reader hears them. */
function callWords(bar, of) {
  return [
    `call ${bar.sequence}: ${toolName(bar)}`,
    WORDS.outcome[bar.outcome].word,
    bar.error_class && visible(bar.error_class),
    bar.status !== undefined && bar.status !== 200 && `status ${bar.status}`,
    bar.ms === undefined ? "latency unknown" : duration(bar.ms),
    of > 1 && `attempt ${bar.attempt} of ${of}`,
    bar.stale && "stale token",
    bar.untimed && "no time in the log: placed after the call before it",
  ].filter(Boolean);
}

function chainWords(item) {
  const { attempts, waits } = item;
  if (attempts.length === 1) return callWords(attempts[0], 1);
  const last = attempts.at(-1);
  const classes = [...new Set(attempts.map((bar) => bar.error_class).filter(Boolean))].map(visible);
  const waited = waits.filter((wait) => wait !== null);
  return [
    `calls ${attempts.map((bar) => bar.sequence).join(", ")}: ${toolName(last)}`,
    `${attempts.length} attempts, the last ${WORDS.outcome[last.outcome].word}`,
    attempts.length > 2 ? `${count(attempts.length - 1)} SDK retries` : "1 SDK retry",
    ...classes,
    duration(item.end - item.start),
    waited.length ? `waited ${waited.map(duration).join(", ")}` : "waits unknown",
  ];
}

/** Returns a button of the plot from `x` on, `width` pixels wide; `what` finds it again. */
function barButton(x, width, tone, what, words, expanded) {
  return el(
    `button.call.${tone}`,
    {
      type: "button",
      tabindex: -1,
      style: `left:${x.toFixed(1)}px;width:${width.toFixed(1)}px`,
      "data-what": what,
      "aria-label": words.join("; "),
      "aria-expanded": expanded,
    },
  );
}

/** Returns a chain of several attempts: what was tried is solid, what was waited for is hatched. */
function chainButton(view, item, x, width) {
  const expanded = String(view.model.open.has(item.chain));
  const node = barButton(x, width, "chain", `chain:${item.chain}`, chainWords(item), expanded);
  item.attempts.forEach((bar, index) => {
    const from = view.x(bar.at) - x;
    const to = Math.max(view.x(endOf(bar)) - x, from + 2);
    if (index) {
      const before = view.x(endOf(item.attempts[index - 1])) - x;
      if (from > before) node.append(el("i.wait", { style: `left:${before.toFixed(1)}px;width:${(from - before).toFixed(1)}px` }));
    }
    node.append(el(`i.try.${WORDS.outcome[bar.outcome].tone}`, { style: `left:${from.toFixed(1)}px;width:${(to - from).toFixed(1)}px` }));
  });
  if (width > 46) node.append(el("span.times", null, `×${item.attempts.length}`));
  return node;
}

function callButton(bar, of, x, width) {
  const node = barButton(x, width, WORDS.outcome[bar.outcome].tone, `call:${bar.sequence}`, callWords(bar, of), null);
  if (bar.ms === undefined) node.classList.add("unknown");
  if (width > 40) node.append(el("span.name", null, toolName(bar)));
  return node;
}

/** Returns one button for several bars that are too close to be told apart, in the colour of the most severe. */
function crowdButton(items, x, width) {
  const bars = items.flatMap((item) => item.attempts);
  const worst = bars.reduce((worst, bar) => Math.max(worst, LEAST_SEVERE_FIRST.indexOf(bar.outcome)), 0);
  const failed = bars.filter((bar) => bar.outcome === "failed" || bar.outcome === "injected_failure").length;
  const words = [plural(bars.length, "call"), failed ? `${count(failed)} failed` : "none failed", "zoom in to tell them apart"];
  const node = barButton(x, width, WORDS.outcome[LEAST_SEVERE_FIRST[worst]].tone, `crowd:${items[0].start}:${items.at(-1).end}`, words, null);
  node.classList.add("crowd");
  return node;
}
