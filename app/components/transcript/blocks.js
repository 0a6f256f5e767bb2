// What items are built of beside their texts: literals on a line, folds, notes.

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

/** Returns one literal on a line: a tool, an actor, a class. */
function literal(ctx, at, key, text, selector = "code") {
  const node = el(selector);
  const marks = ctx.find.marksOf(at, key);
  fillMarked(node, text, 0, text.length, marks?.ranges ?? [], marks?.current ?? -1);
  return node;
}

/** Returns a line that opens what is under it. `content` is called only when it is open. */
function fold(ctx, at, key, title, content) {
  const id = `${at}/${key}`;
  const open = ctx.view.open.has(id);
  const toggle = () => {
    if (open) ctx.view.open.delete(id);
    else ctx.view.open.add(id);
    ctx.refresh(at);
  };
  const button = keyed(el("button.fold", { type: "button", "aria-expanded": String(open), onclick: toggle }, title), id);
  return el("div.folded", null, button, open ? el("div.unfolded", null, content()) : null);
}

/** Returns findings and warnings, in words and by severity. `prefix` names them among the item's sections. */
function noteLines(ctx, at, prefix, notes) {
  return (notes ?? []).map((note, n) =>
    el(`div.note.${note.severity}`, null, literal(ctx, at, `${prefix}title${n}`, note.title, "b"), " ", quote(ctx, at, `${prefix}note${n}`, note.message)),
  );
}

/** Returns a sentence that may quote the run. */
function quote(ctx, at, key, text) {
  const node = literal(ctx, at, key, text, "span");
  node.dir = "auto";
  return node;
}
