// What a key press means, and the control that a key stands for. Nothing here changes the page.

const PAUSE_MS = 1500; // between the two keys of a sequence

/** A key press by the name that the table uses: "j", "?", "Ctrl+Enter". */
function nameOf(event) {
  const key = event.shiftKey ? event.key : event.key.toLowerCase(); // Caps Lock is no Shift
  return event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : key;
}

/** Whether this element takes the letters that are typed. */
function takesText(element) {
  if (!(element instanceof Element)) return false;
  const free = ["checkbox", "radio", "button", "submit", "reset", "range", "file", "color"];
  if (element instanceof HTMLInputElement) return !free.includes(element.type);
  return element.isContentEditable === true || element.matches("textarea, select, [role=combobox], [role=textbox]");
}

/** Tells the entry of the table that a press completes; keeps the first key of a sequence until the second comes. */
class Presses {
  constructor() {
    this.first = null;
    this.at = 0;
  }

  /** The entry; "more" when another key must follow; null when the press is none of ours. */
  entry(keys, event) {
    const name = nameOf(event);
    const first = this.first !== null && event.timeStamp - this.at < PAUSE_MS ? `${this.first} ` : "";
    this.first = null;
    const said = (text) => keys.find((entry) => entry.keys === text);
    const found = (first && said(first + name)) || said(name);
    if (found) return found;
    if (!keys.some((entry) => entry.keys.startsWith(`${name} `))) return null;
    this.first = name;
    this.at = event.timeStamp;
    return "more";
  }
}

/** The first element in sight that a target of the table finds: `host >> inner` looks into components below `host`. */
function inSight(target) {
  const [outer, inner] = target.split(" >> ");
  let found = [...document.querySelectorAll(outer)];
  if (inner) {
    const roots = found.flatMap((host) => [host, ...host.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []));
    found = roots.flatMap((root) => [...root.querySelectorAll(inner)]);
  }
  return found.find((one) => one.checkVisibility() && one.getClientRects().length) ?? null;
}
