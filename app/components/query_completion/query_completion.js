// A list of suggestions for a text field of Streamlit's: a combobox as WAI-ARIA describes it, with the list as a popup.
// The field is Streamlit's and may be drawn anew at any time, so that the document listens for it.

const ROUTE = "query-completion"; // `completion_route.py`, beside the page
const LIST_ID = "query-completion-options";
const lists = new WeakMap();

class Completion {
  constructor(parent) {
    this.list = el("div.query-completion", { role: "listbox", id: LIST_ID, "aria-label": "Suggestions", hidden: true });
    this.list.onmousedown = (event) => event.preventDefault(); // the field keeps the focus
    this.list.onclick = (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.accept([...this.list.children].indexOf(option));
    };
    parent.append(this.list);
    this.suggestions = [];
    this.active = -1;
    this.asked = null;
    this.on = {
      input: (event) => this.isField(event.target) && !event.isComposing && this.ask(event.target),
      keydown: (event) => this.isField(event.target) && this.pressed(event),
      focusin: (event) => this.isField(event.target) && this.describe(event.target),
      focusout: (event) => this.isField(event.target) && this.close(),
      scroll: (event) => this.list.contains(event.target) || this.place(),
    };
    for (const [name, listener] of Object.entries(this.on)) document.addEventListener(name, listener, true);
    window.addEventListener("resize", this.on.scroll);
    this.observer = new MutationObserver(() => this.describe(this.found()));
    this.observer.observe(document.body, { childList: true, subtree: true });
  }

  destroy() {
    for (const [name, listener] of Object.entries(this.on)) document.removeEventListener(name, listener, true);
    window.removeEventListener("resize", this.on.scroll);
    this.observer.disconnect();
    this.asked?.abort();
    this.list.remove();
  }

  load({ field, list }) {
    this.selector = field;
    this.listed = list;
    this.describe(this.found());
  }

  found() {
    return document.querySelector(this.selector);
  }

  isField(element) {
    return element instanceof HTMLInputElement && element.matches(this.selector);
  }

  /** Says what the field is, and which option is chosen in it. */
  describe(input) {
    if (!input) return;
    const isOpen = !this.list.hidden;
    const attributes = {
      role: "combobox",
      autocomplete: "off",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": LIST_ID,
      "aria-expanded": String(isOpen),
      "aria-activedescendant": isOpen && this.active >= 0 ? `${LIST_ID}-${this.active}` : null,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (input.getAttribute(name) === value) continue;
      if (value === null) input.removeAttribute(name);
      else input.setAttribute(name, value);
    }
  }

  /** Asks for suggestions at the cursor, and chooses the one at `index`; only the last question is answered. */
  async ask(input, index = -1) {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const text = input.value;
    const cursor = [...text.slice(0, input.selectionEnd)].length;
    let suggestions = [];
    try {
      const body = JSON.stringify({ text, cursor, list: this.listed });
      const response = await fetch(new URL(ROUTE, window.location.href), { method: "POST", body, signal: asked.signal });
      if (response.ok) suggestions = await response.json();
    } catch {
      // Another question came after it, or the server is gone, as the page itself says.
    }
    if (asked !== this.asked || document.activeElement !== input || input.value !== text) return;
    this.show(input, suggestions, index);
  }

  show(input, suggestions, index) {
    const characters = [...input.value];
    const chosen = this.list.hidden ? undefined : this.suggestions[this.active]?.text;
    // One that is all there already leaves nothing to choose.
    this.suggestions = suggestions.filter(({ text, start, end }) => characters.slice(start, end).join("") !== text);
    if (!this.suggestions.length) return this.close();
    this.list.replaceChildren(
      ...this.suggestions.map(({ text, description }, n) =>
        el("div", { role: "option", id: `${LIST_ID}-${n}`, "aria-selected": "false" }, el("code", {}, text), el("span", {}, description)),
      ),
    );
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.place();
    // What was chosen stays so where a later answer has it, too.
    this.choose(index >= 0 ? index : this.suggestions.findIndex(({ text }) => text === chosen));
  }

  place() {
    const input = this.found();
    if (this.list.hidden || !input) return;
    const box = (input.closest("[data-testid=stTextInputRootElement]") ?? input).getBoundingClientRect();
    Object.assign(this.list.style, { left: `${box.left}px`, top: `${box.bottom + 4}px`, width: `${Math.min(box.width, 680)}px` });
  }

  close() {
    this.asked?.abort();
    this.asked = null;
    this.list.hidden = true;
    this.choose(-1);
  }

  choose(index) {
    const options = this.list.children;
    options[this.active]?.setAttribute("aria-selected", "false");
    this.active = index;
    options[index]?.setAttribute("aria-selected", "true");
    options[index]?.scrollIntoView({ block: "nearest" });
    this.describe(this.found());
  }

  pressed(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = !this.list.hidden;
    const count = this.suggestions.length;
    const { key } = event;
    if (key === "ArrowDown" && !isOpen) this.ask(event.target, 0);
    else if (!isOpen) {
      if (key === "Enter") this.close(); // the query is applied: an answer on its way comes too late
      return;
    } else if (key === "ArrowDown") this.choose((this.active + 1) % count);
    else if (key === "ArrowUp") this.choose(this.active <= 0 ? count - 1 : this.active - 1);
    else if (key === "Escape") this.close();
    else if (key === "Enter" && this.active >= 0) this.accept(this.active);
    else if (key === "Tab" && !event.shiftKey && (this.active >= 0 || this.begins(event.target))) this.accept(Math.max(this.active, 0));
    else {
      if (key === "Enter") this.close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns whether the first suggestion goes on from what is typed, so that Tab means it. */
  begins(input) {
    const { text, start } = this.suggestions[0];
    const typed = [...input.value].slice(start, [...input.value.slice(0, input.selectionEnd)].length).join("");
    return typed !== "" && text.toLowerCase().startsWith(typed.toLowerCase());
  }

  accept(index) {
    const input = this.found();
    const { text, start, end } = this.suggestions[index];
    const characters = [...input.value];
    const before = characters.slice(0, start).join("") + text;
    // Streamlit hears of it as of what is typed.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, before + characters.slice(end).join(""));
    input.setSelectionRange(before.length, before.length);
    this.close();
    input.dispatchEvent(new InputEvent("input", { bubbles: true })); // and asks for what can follow
  }
}

export default function ({ data, parentElement }) {
  let completion = lists.get(parentElement);
  if (!completion) lists.set(parentElement, (completion = new Completion(parentElement)));
  completion.load(data);
  return () => {
    completion.destroy();
    lists.delete(parentElement);
  };
}
