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

/**
 * Shows a payload in the view of the component's root, the element `part`; makes one of the class `View` for a new root.
 * `view.load(body)` runs for another body, and for another run where the head names one; `prepare(view, head)` runs
 * before it. Returns the view and the head, and `unmount` for Streamlit.
 */
function mountView({ data, parentElement }, part, View, prepare = () => {}) {
  const root = parentElement.querySelector(`[data-part=${part}]`);
  let view = views.get(parentElement);
  if (view?.root !== root) {
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
  const unmount = () => {
    view.destroy?.();
    views.delete(parentElement);
  };
  return { view, head, unmount };
}
