// The head: the figures in which the runs differ, as a table; the others in one line.

function drawFigures(table, alike, { left, right, figures }) {
  const differing = figures.filter(({ differs }) => differs);
  const cell = (figure, side) =>
    el(
      `td${figure[`${side}_tone`] ? `.${figure[`${side}_tone`]}` : ""}`,
      null,
      el(`div.said${figure.literal ? ".literal" : ""}`, { dir: "auto" }, visible(figure[side])),
      side === "right" && figure.more && el("span.soft.more", { title: "the right run less the left" }, ` ${figure.more}`),
    );
  table.replaceChildren(
    el("caption.hidden", null, "The figures in which the two runs differ"),
    el("thead", null, el("tr", null,
      el("th", { scope: "col" }, el("span.hidden", null, "figure")),
      el("th", { scope: "col" }, el("span.soft", null, "left "), el("code", null, visible(left))),
      el("th", { scope: "col" }, el("span.soft", null, "right "), el("code", null, visible(right))),
    )),
    el("tbody", null, differing.map((figure) =>
      el("tr", null, el("th", { scope: "row" }, figure.name), cell(figure, "left"), cell(figure, "right")),
    )),
  );
  const same = figures.filter(({ differs, left: text }) => !differs && text !== "–");
  alike.hidden = !same.length;
  alike.replaceChildren(
    "The same in both: ",
    ...same.flatMap(({ name, left: text }, at) => [at ? " · " : "", `${name} `, el("span.value", { dir: "auto" }, firstWords(text, 80))]),
  );
}
