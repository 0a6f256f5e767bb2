// The attempts of a chain: a small bar with the waits between, and a line each when they are opened.

const BAR_WIDTH = 220;
const SEGMENT = 6;

/** Widths in pixels for attempts and waits: by time where all times are known, else even. */
function barWidths(attempts, waits) {
  const times = attempts.flatMap((call, n) => (n ? [waits[n - 1] ?? null, call.latency_ms ?? null] : [call.latency_ms ?? null]));
  const total = times.reduce((sum, time) => sum + (time ?? 0), 0);
  const known = total > 0 && times.every((time) => time !== null);
  return times.map((time) => (known ? Math.max(SEGMENT, Math.round((time / total) * BAR_WIDTH)) : SEGMENT * 3));
}

/** The waits between the attempts of a card: how long, the policy's window, and whether the wait is outside of it. */
function waitsOf({ attempts, chain, start }) {
  return attempts.slice(1).map((_, n) => ({
    ms: chain.waits_ms?.[start + n] ?? null,
    window: chain.windows_ms?.[start + n] ?? null,
    off: chain.off_policy?.includes(start + n) ?? false,
  }));
}

/** `after 3.2 s, off policy: 375 ms to 625 ms`. */
function waitWords({ ms, window, off }) {
  const after = ms === null ? "wait unknown" : `after ${duration(ms)}`;
  if (window === null || ms === null) return el("span.soft", null, after);
  const allowed = `${duration(window[0])} to ${duration(window[1])}`;
  if (off) return el("span.warn", null, `${after}, off policy: ${allowed}`);
  return el("span.soft", { title: `the policy waits ${allowed}` }, after);
}

function attemptsLine(ctx, at, n, card) {
  const { attempts, chain } = card;
  const waits = waitsOf(card);
  const widths = barWidths(attempts, waits.map((wait) => wait.ms));
  const bar = el("span.bar", { "aria-hidden": "true" });
  attempts.forEach((call, place) => {
    if (place) bar.append(el(waits[place - 1].off ? "i.wait.off" : "i.wait", { style: `width:${widths[2 * place - 1]}px` }));
    bar.append(el(`i.try.${CALL_STATES[call.outcome].tone}`, { style: `width:${widths[2 * place]}px` }));
  });
  const classes = new Map();
  for (const { error_class: name } of attempts) if (name) classes.set(name, (classes.get(name) ?? 0) + 1);
  const named = [...classes].map(([name, times]) => (times > 1 ? `${visible(name)} ×${times}` : visible(name)));
  const lost = card.whole && chain.wasted_ms > 0 ? [`${duration(chain.wasted_ms)} lost`] : [];
  const off = waits.filter((wait) => wait.off).length;
  const told = off ? [`${plural(off, "wait")} off policy`] : [];
  const title = [plural(attempts.length, "attempt"), ...named, ...lost, ...told].join(" · ");
  return [bar, fold(ctx, at, `${n}.attempts`, title, () => attempts.map((call, place) => attemptLine(ctx, at, n, card, call, place, waits)))];
}

function attemptLine(ctx, at, n, card, call, place, waits) {
  const state = CALL_STATES[call.outcome];
  const key = `${n}.${call.sequence}`;
  const last = call === card.receipt;
  return el(
    `div.attempt${ctx.view.attempt === call.sequence ? ".selected" : ""}`,
    { "data-attempt": call.sequence },
    el("div.facts", null, el("b", null, `${place + 1}`), " ", el(`span.${state.tone}`, null, state.word), el("i.dot", null, " · "), place ? [waitWords(waits[place - 1]), el("i.dot", null, " · ")] : null, factsOf(ctx, at, n, card, call)),
    last || !call.error_class ? null : literal(ctx, at, `${key}.class`, call.error_class, "code.bad"),
    last || call.arguments === undefined ? null : textBlock(ctx, at, `${key}.arguments`, argumentsText(call), { mono: true, fold: FOLD.payload }),
    last || !call.error ? null : payloadBlock(ctx, at, `${key}.error`, call.error),
    last || !call.response ? null : payloadBlock(ctx, at, `${key}.response`, call.response),
    last ? null : moreOfCall(ctx, at, key, call),
  );
}
