// Listens before anything else does, so that a key is answered once; and shows the list of keys.

const OFF = "trace-inspector.keys-off";
const listening = new WeakMap();

class Keys {
  constructor(root) {
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.presses = new Presses();
    this.dialog = this.part("dialog");
    this.part("open").onclick = () => this.show();
    this.part("close").onclick = () => this.dialog.close();
    this.dialog.onclick = (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a click beside it
    };
    this.part("switch").checked = this.on = !isOff();
    this.part("switch").onchange = (event) => this.switched(event.target.checked);
    this.listener = (event) => this.pressed(event);
    window.addEventListener("keydown", this.listener, true);
    this.part("open").hidden = false; // it is there once it, and the keys, are answered
  }

  destroy() {
    window.removeEventListener("keydown", this.listener, true);
    if (this.dialog.open) this.dialog.close();
  }

  load({ page, form, keys }, go) {
    this.form = form;
    this.keys = keys;
    this.go = go;
    const text = JSON.stringify(keys);
    if (text === this.listed) return;
    this.listed = text;
    this.part("tables").replaceChildren(
      table(`On the page ${page}`, keys.filter((entry) => entry.own)),
      table("On every page", keys.filter((entry) => !entry.own)),
    );
  }

  pressed(event) {
    if (event.isComposing || event.repeat || event.altKey) return;
    const isChord = event.ctrlKey || event.metaKey;
    const target = event.composedPath()[0];
    if (!isChord && takesText(target)) return this.leaveField(event, target);
    if (this.dialog.open) {
      if (event.key === "?") this.dialog.close();
      return; // whatever else is pressed there is the dialog's
    }
    if (document.querySelector("[data-testid=stDialog]")) return;
    const entry = this.presses.entry(this.keys, event);
    if (entry === null || (!this.on && entry.act !== "help" && !isChord)) return;
    if (entry !== "more" && !this.done(entry, target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Leaves a field of the form when one is done with it, after it has heard the key itself. */
  leaveField({ key }, field) {
    const isDone = key === "Escape" || (key === "Enter" && !field.matches("textarea"));
    if (isDone && field.closest(this.form)) setTimeout(() => field.blur());
  }

  /** Does what the entry says; false where the page has nothing in sight for it. */
  done({ act, target }, from) {
    if (act === "help") this.show();
    else if (act === "go") this.go(target);
    else if (act === "own") return false;
    else {
      const control = inSight(target);
      if (control === null) return false;
      if (act === "focus") {
        control.focus();
        control.select?.();
      } else {
        if (takesText(from)) from.blur(); // hands over what was typed
        control.click();
      }
    }
    return true;
  }

  show() {
    this.dialog.showModal(); // keeps the focus inside, closes on Esc, gives the focus back
  }

  switched(on) {
    this.on = on;
    try {
      if (on) window.localStorage.removeItem(OFF);
      else window.localStorage.setItem(OFF, "1");
    } catch {
      // Storage is blocked: it holds as long as the page is open.
    }
  }
}

function isOff() {
  try {
    return window.localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

function table(heading, entries) {
  if (!entries.length) return "";
  const rows = entries.map(({ keys, does }) => [el("dt", {}, keys.split(/[ +]/).map((key) => el("kbd", {}, key))), el("dd", {}, does)]);
  return el("section", {}, el("h3", {}, heading), el("dl", {}, rows));
}

const PAUSE_MS = 1500; // between the two keys of a sequence

/** Returns a key press by the name that the table uses: "j", "?", "Ctrl+Enter". */
function nameOf(event) {
  const key = event.shiftKey || event.key.length > 1 ? event.key : event.key.toLowerCase(); // Caps Lock is not Shift
  return event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : key;
}

/** Returns whether this element takes the letters that are typed. */
function takesText(element) {
  if (!(element instanceof Element)) return false;
  const free = ["checkbox", "radio", "button", "submit", "reset", "range", "file", "color"];
  if (element instanceof HTMLInputElement) return !free.includes(element.type);
  return element.isContentEditable === true || element.matches("textarea, select, [role=combobox], [role=textbox]");
}

/** Finds the entry of the table that a press completes; keeps the first key of a sequence until the second comes. */
class Presses {
  constructor() {
    this.first = null;
    this.at = 0;
  }

  /** Returns the entry; "more" when another key must follow; null when the page has no such key. */
  entry(keys, event) {
    const name = nameOf(event);
    const first = this.first !== null && event.timeStamp - this.at < PAUSE_MS ? `${this.first} ` : "";
    this.first = null;
    const find = (text) => keys.find((entry) => entry.keys === text);
    const entry = (first && find(first + name)) || find(name);
    if (entry) return entry;
    if (!keys.some((entry) => entry.keys.startsWith(`${name} `))) return null;
    this.first = name;
    this.at = event.timeStamp;
    return "more";
  }
}

/**
 * Returns the first element in sight that a target of the table finds: `host >> inner` looks into components below `host`,
 * `one || other` for the other where the one is not in sight.
 */
function inSight(target) {
  for (const alternative of target.split(" || ")) {
    const element = firstInSight(alternative);
    if (element !== null) return element;
  }
  return null;
}

function firstInSight(target) {
  const [outer, inner] = target.split(" >> ");
  let elements = [...document.querySelectorAll(outer)];
  if (inner) {
    const roots = elements.flatMap((host) => [host, ...host.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []));
    elements = roots.flatMap((root) => [...root.querySelectorAll(inner)]);
  }
  return elements.find((one) => one.checkVisibility() && one.getClientRects().length) ?? null;
}

export default function ({ data, parentElement, setTriggerValue }) {
  let keys = listening.get(parentElement);
  const dialog = parentElement.querySelector("[data-part=dialog]");
  if (keys?.dialog !== dialog) {
    keys?.destroy();
    keys = new Keys(parentElement);
    listening.set(parentElement, keys);
  }
  keys.load(data, (page) => setTriggerValue("go", page));
  return () => {
    keys.destroy();
    listening.delete(parentElement);
  };
}
