// Building elements. Data becomes text nodes and nothing else: no markup is ever parsed here.

/** `el("div.card.failed", {title: "…", onclick: f}, "text", child, null)`; null and false children are left out. */
function el(selector, props, ...children) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** Returns a button that looks like a link. `label` names it for a screen reader where its text alone would not. */
function linkButton(text, onclick, label) {
  return el("button.link", { type: "button", onclick, "aria-label": label }, text);
}

/**
 * Copies exact text; falls back to a selection where the page has no clipboard (plain HTTP on another host). What became
 * of it stands on the button for a moment, and `say` is told.
 */
async function copyText(text, button, say = () => {}) {
  const before = button.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { "aria-hidden": "true", style: "position:fixed;opacity:0" });
    area.value = text;
    button.parentNode.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  button.textContent = done ? "Copied" : "Not copied";
  say(button.textContent);
  setTimeout(() => (button.textContent = before), 1500);
}

/** Returns true while a key press belongs to something that takes text, or to a chord of the browser's own. */
function keyIsTaken(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  return target.matches("input, textarea, select") || target.isContentEditable === true;
}

/** Returns a payload in its two parts (see `frontend.py`): the head, and a function that parses the body. */
function decodePayload(bytes) {
  const end = bytes.indexOf(10);
  const decoder = new TextDecoder();
  const parse = (part) => JSON.parse(decoder.decode(part));
  return { head: parse(bytes.subarray(0, end)), readBody: () => parse(bytes.subarray(end + 1)) };
}

const views = new WeakMap();
const failing = new Map(); // of what is on the page: what puts the sentence in the place of a view
const pristine = new WeakMap(); // what a root holds before a view draws in it

/**
 * Shows a payload in the view of the component's root, the element `part`; makes one of the class `View` for a new root.
 * `view.load(body)` runs for another body, and for another run where the head names one; `prepare(view, head)` runs
 * before it, `finish(view, head)` after it. Where one of them throws, or the view does later, the root says so instead,
 * with a way on; the next payload begins anew. Returns what Streamlit calls when the component goes.
 */
function mountView(component, part, View, { prepare = () => {}, finish = () => {} } = {}) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(`[data-part=${part}]`);
  if (!pristine.has(root)) pristine.set(root, [...root.cloneNode(true).childNodes]);
  const unmount = () => {
    const view = views.get(parentElement);
    views.delete(parentElement);
    failing.delete(parentElement);
    view?.destroy?.();
  };
  const fail = () => {
    try {
      unmount();
    } catch (another) {
      console.error(another);
    }
    const again = () => {
      root.replaceChildren(...pristine.get(root).map((node) => node.cloneNode(true)));
      mountView(component, part, View, { prepare, finish });
    };
    views.set(parentElement, { root, isBroken: true });
    root.replaceChildren(el("div.broken", { role: "alert" }, BROKEN, linkButton("Try again", again)));
  };
  try {
    showView(data, parentElement, root, View, prepare, finish);
    failing.set(parentElement, fail);
  } catch (error) {
    console.error(error); // with its trace, for who looks after the app
    fail();
  }
  return unmount;
}

const BROKEN = "This part of the page could not be drawn. The rest still works, and the Raw panel of a run has everything that was imported. ";

// The name of this script in stacks: Streamlit gives each component its own.
const SCRIPT = /([^\s()@]+):\d+:\d+\)?$/m.exec(new Error().stack)?.[1];

/** Fails what is on the page of this component where its script threw: in an event, a timer or an observer. */
function failLater(stack) {
  if (SCRIPT && stack.includes(SCRIPT)) for (const fail of [...failing.values()]) fail();
}

// The browser has written both to the console.
window.addEventListener("error", ({ error }) => failLater(String(error?.stack)));
window.addEventListener("unhandledrejection", ({ reason }) => failLater(String(reason?.stack)));

function showView(data, parentElement, root, View, prepare, finish) {
  let view = views.get(parentElement);
  if (view?.isBroken) root.replaceChildren(...pristine.get(root).map((node) => node.cloneNode(true)));
  if (view?.root !== root || view.isBroken) {
    view?.destroy?.();
    view = new View(root);
    views.set(parentElement, view);
  }
  const { head, readBody } = decodePayload(data);
  const identity = `${head.run} ${head.digest}`;
  prepare(view, head);
  if (view.identity !== identity) {
    view.load(readBody());
    view.identity = identity;
  }
  finish(view, head);
}
