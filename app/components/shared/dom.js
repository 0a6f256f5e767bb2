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

/** A button that looks like a link. `label` names it for a screen reader where its text alone would not. */
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

/** True while a key press belongs to something that takes text, or to a chord of the browser's own. */
function keyIsTaken(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  return target.matches("input, textarea, select") || target.isContentEditable === true;
}

/** The head and, unless `known` is its digest already, the body of a payload (see `payload.py`). */
function decodePayload(bytes, known) {
  const end = bytes.indexOf(10);
  const decoder = new TextDecoder();
  const head = JSON.parse(decoder.decode(bytes.subarray(0, end)));
  const body = head.digest === known ? null : JSON.parse(decoder.decode(bytes.subarray(end + 1)));
  return { head, body };
}
