// Rates of two sets of runs: counts that open the runs behind them, both intervals drawn, and a plain word.

const SIDES = ["left", "right"];

function points(share) {
  const size = decimal(Math.abs(100 * share), 1);
  return `${size === "0.0" ? "" : share > 0 ? "+" : "−"}${size}`;
}

/** Returns the query of a side, and how many runs it finds. */
function setLine({ queries, runs, calls }, side, n) {
  const query = queries[n] ? el("code", { dir: "auto" }, visible(queries[n])) : "all runs";
  const counts = `${plural(runs[n], "run")}, ${plural(calls[n], "call")}`;
  return [el("dt", null, el(`i.key.${side}`), side), el("dd", null, query, el("span.soft", null, ` · ${counts}`))];
}

function groupTable(group, open) {
  const unseen = group.total > group.shown ? `, ${count(group.shown)} of ${count(group.total)}: those that the most runs have` : "";
  return el(
    "table",
    null,
    el("caption", null, el("b", null, group.title), el("span.soft", null, ` · ${group.meaning.replace(/\.$/, "")}${unseen}`)),
    el("thead", null, el("tr", null,
      el("th.name", { scope: "col" }, el("span.hidden", null, "what")),
      SIDES.map((side) => el("th.side", { scope: "col" }, el(`i.key.${side}`), side)),
      el("th.drawing", { scope: "col", title: "Each dot is a rate, its bar the 95 % interval (Wilson); the left run set above, the right one below" }, el("span.scale", null, el("span", null, "0"), el("span", null, percent(group.most, 0)))),
      el("th.apart", { scope: "col", title: "The right rate less the left, in percentage points, with its 95 % interval (Newcombe)" }, "difference"),
      el("th.word", { scope: "col" }, "right against left"),
    )),
    el("tbody", null, group.rows.map((row) => rateRow(row, group.most, open))),
  );
}

function rateRow(row, most, open) {
  const name = row.literal ? el("code", null, visible(row.name)) : row.name;
  return el(
    "tr",
    { "data-row": row.name },
    el("th.name", { scope: "row", title: row.meaning || null }, name),
    SIDES.map((side, n) => el("td.side", null, shareCell(row, row[side], n, open))),
    el("td.drawing", { "aria-hidden": "true" }, SIDES.map((side) => lane(row[side], side, most))),
    el("td.apart", null, apart(row)),
    el("td.word", null, wordOf(row)),
  );
}

function shareCell(row, side, n, open) {
  if (!side.total) return el("span.absent", null, "none");
  const named = (what) => `${what}: ${row.name}, ${SIDES[n]}; open the runs`;
  return [
    linkButton(count(side.count), () => open(n, side.counted), named(count(side.count))),
    el("span.soft", null, " of "),
    linkButton(count(side.total), () => open(n, side.of), named(`all ${count(side.total)}`)),
    el("span.rate", { title: `95 % interval: ${percent(side.low)} to ${percent(side.high)}` }, percent(side.count / side.total)),
  ];
}

/** Returns one side's interval as a bar, its rate as a dot on it, over 0 to `most`. */
function lane(side, name, most) {
  if (!side.total) return el(`div.lane.${name}`);
  const at = (share) => `${Math.min(100, (100 * share) / most).toFixed(2)}%`;
  const bar = el("i.bar", { style: `left:${at(side.low)};width:${((100 * (side.high - side.low)) / most).toFixed(2)}%` });
  return el(`div.lane.${name}`, null, bar, el("i.dot", { style: `left:${at(side.count / side.total)}` }));
}

function apart({ difference }) {
  if (!difference) return el("span.absent", null, "–");
  const [value, low, high] = difference.map(points);
  return [el("b", null, value), el("span.soft", null, ` ${low} … ${high}`)];
}

function wordOf({ word, good, chance }) {
  const { word: text, meaning } = WORDS.difference[word];
  const sure = word === "higher" || word === "lower";
  const tone = sure ? ((word === "higher") === good ? "ok" : "bad") : "soft";
  const likely = chance === undefined ? "" : ` Chance alone: ${chance < 0.001 ? "under 0.1 %" : percent(chance)} (Fisher's exact test).`;
  return el(`span.${tone}`, { title: `${meaning}${likely}`.trim() }, text);
}

class RateTables {
  constructor(root) {
    this.root = root;
  }

  load(data) {
    const fill = (part, nodes) => this.root.querySelector(`[data-part=${part}]`).replaceChildren(...nodes);
    fill("sets", SIDES.flatMap((side, n) => setLine(data, side, n)));
    fill("groups", data.groups.map((group) => groupTable(group, (side, term) => this.open(side, term))));
  }
}

export default function (component) {
  return mountView(component, "rates", RateTables, {
    prepare(view) {
      view.open = (side, term) => component.setTriggerValue("open", { side, term });
    },
  });
}
