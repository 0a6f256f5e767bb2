// The outline: a line an item, in step with the scroll. A list box of its own, virtualised like the transcript.

const OUTLINE_ROW = 28;

class Outline {
  constructor(ctx, box) {
    this.ctx = ctx;
    this.box = box;
    this.current = -1;
    this.active = 0;
    this.content = el("div.rows");
    box.replaceChildren(this.content);
    this.list = new VirtualList({
      scroller: box,
      content: this.content,
      count: ctx.model.items.length,
      hidden: new Set(ctx.list.hidden),
      estimate: () => OUTLINE_ROW,
      render: (at) => this.row(at),
      overscan: 2 * OUTLINE_ROW,
      fixed: true,
    });
    box.onkeydown = (event) => this.key(event);
    box.onfocus = () => this.move(Math.max(this.current, 0));
  }

  row(at) {
    const { model } = this.ctx;
    const item = model.items[at];
    const mark = outlineMark(model, at);
    return el(
      `div.line.line-${item.type}${at === this.current ? ".on" : ""}`,
      {
        id: `outline-${at}`,
        role: "option",
        "aria-selected": String(at === this.current),
        "aria-posinset": at + 1,
        "aria-setsize": model.items.length,
        onclick: () => this.ctx.goTo(at),
      },
      el("em", null, item.index ?? ""),
      el("span.words", { dir: "auto" }, outlineWords(model, at)),
      mark && el(`span.mark.${mark.tone}`, { title: mark.word, role: "img", "aria-label": mark.word }, mark.sign),
    );
  }

  /** Marks the row that is at the top of the transcript. */
  follow(at) {
    if (at === this.current) return;
    this.mark(false);
    this.current = at;
    this.list.reveal(at);
    this.mark(true);
  }

  mark(on) {
    const line = this.list.rows.get(this.current);
    line?.classList.toggle("on", on);
    line?.setAttribute("aria-selected", String(on));
  }

  move(at) {
    this.active = at;
    this.list.reveal(at);
    this.box.setAttribute("aria-activedescendant", `outline-${at}`);
    for (const [index, node] of this.list.rows) node.classList.toggle("active", index === at);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / OUTLINE_ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      const step = steps[event.key];
      const last = this.ctx.model.items.length - 1;
      let to = Math.min(last, Math.max(0, this.active + step));
      while (this.list.hidden.has(to) && to > 0 && to < last) to += Math.sign(step);
      this.move(to);
    } else if (event.key === "Enter" || event.key === " ") this.ctx.goTo(this.active);
    else return;
    event.preventDefault();
  }

  destroy() {
    this.list.destroy();
  }
}

function outlineWords(model, at) {
  const item = model.items[at];
  if (item.type === "thin") return "thin run";
  if (item.type === "heading") return `log: ${plural(item.call_count, "call")}`;
  if (item.type === "final") return "final answer";
  if (item.type === "dropped") return "dropped";
  if (item.type === "log") return `${visible(model.cards[at][0].receipt.tool ?? "unreadable call")} · log`;
  const tools = visible((item.calls ?? []).map((call) => call.name).join(", "));
  if (tools) return tools;
  const words = messageWords(model, item);
  if (item.role === "tool") return words.startsWith("↳") ? words : `↳ ${words}`;
  return (item.role === "assistant" && !item.name) || words.startsWith("↳") ? words : `${visible(item.name ?? item.role)}: ${words}`;
}

const OUTLINE_LENGTH = 60;

/** Returns the first words of a message; where it has none, what it holds instead. */
function messageWords(model, item) {
  if (item.content !== undefined) return emptyContent(item) ?? textWords(item.content);
  const parts = partsOf(item);
  const text = parts.find((part) => part.is === "text" && !emptyWords(part.text));
  if (text) return textWords(text.text);
  const held = [...new Set(parts.filter((part) => part.is !== "result").map(partWords))];
  const results = parts.filter((part) => part.is === "result").map((part) => model.cardOf(part.answers)?.toolCall.name);
  const tools = visible([...new Set(results.filter(Boolean))].join(", "));
  if (tools) held.unshift(`↳ result of ${tools}`);
  if (results.includes(undefined)) held.unshift("↳ result without a call");
  if (!held.length && item.thinking) held.push("thinking");
  return held.join(", ") || "no content";
}

/** Returns the first words of a text, without the signs of Markdown. */
function textWords(text) {
  const words = firstWords(text, OUTLINE_LENGTH);
  return looksLikeMarkdown(text) ? words.replace(/(^|\s)(?:#{1,6}|[-*+>]) +/g, "$1").replace(/\*\*|`/g, "") : words;
}

function partWords(part) {
  if (part.is === "text") return emptyWords(part.text);
  return part.is === "thinking" ? THINKING_PART[part.kind] : visible(part.kind) || "part without a type";
}

/** Returns the mark at the end of a line, with its word: retries, a warning, a failure. */
function outlineMark(model, at) {
  if (model.failuresOf(at).length) {
    const state = model.cards[at].map(cardState).find((state) => state.failed) ?? WORDS.outcome.failed;
    return { sign: "✕", word: state.word, tone: state.tone };
  }
  const differing = model.cards[at].find((card) => ["differs", "hidden"].includes(card.toolCall?.agreement));
  if (differing) {
    const { word, tone } = WORDS.agreement[differing.toolCall.agreement];
    return { sign: "≠", word: `what the model saw ${word}`, tone };
  }
  const retried = Math.max(1, ...model.cards[at].map((card) => card.attempts.length));
  if (retried > 1) return { sign: `×${retried}`, word: plural(retried, "attempt"), tone: "warn" };
  return model.warned(at) ? { sign: "!", word: "warning", tone: "warn" } : null;
}
