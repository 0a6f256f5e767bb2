// The content of a message: its text, or its parts, each as what it is. `partsOf` reads them once; blocks and find show them.

const TEXT_PART = /^(?:text|input_text|output_text)$/;
const THINKING_PART = { thinking: "thinking", redacted_thinking: "redacted thinking", reasoning: "reasoning" };
const RESULT_KEYS = ["tool_use_id", "tool_call_id", "content", "is_error"];
// Pictures of pixels only: they can hold no link and no script. Anything else is shown as its address, never fetched.
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,/;
const LARGEST_PICTURE = 8_000_000; // characters

function isPicture(address) {
  return address.length <= LARGEST_PICTURE && PICTURE.test(address);
}

/** Returns the parts of a message, or of the content of a result; read once. */
function partsOf(message) {
  return (message.read ??= (message.parts ?? []).map((json, n) => readPart(json, message, n)));
}

/**
 * Reads one part: `kind` is what it calls itself, `is` what it is shown as: the `call` of a card, a `result`, `thinking`,
 * `text`, `image` (`image` to be drawn, or a `url`), or anything as `json`; `rest` is what else it says, as JSON.
 */
function readPart(json, message, n) {
  if (json.startsWith('"')) return { is: "text", kind: "", text: JSON.parse(json) };
  const members = jsonMembers(json);
  const kind = readString(members.get("type")) ?? "";
  const call = message.part_calls?.[n];
  if (call !== undefined) return { is: "call", kind, call };
  const result = message.results?.[n];
  if (result) return { is: "result", kind, ...result, ...readContent(members.get("content")), rest: restOf(members, RESULT_KEYS) };
  if (Object.hasOwn(THINKING_PART, kind)) return { is: "thinking", kind, ...readThinking(members, json) };
  const text = TEXT_PART.test(kind) ? readString(members.get("text")) : undefined;
  if (text !== undefined) return { is: "text", kind: "text", text, rest: restOf(members, ["text"]) };
  const url = /image/.test(kind) ? imageAddress(JSON.parse(json)) : null;
  if (url === null) return { is: "json", kind, json };
  const rest = restOf(members, ["image_url", "source", "url"]);
  return isPicture(url) ? { is: "image", kind: "image", image: url, rest } : { is: "image", kind: "image", url, rest };
}

function readString(json) {
  return json?.startsWith('"') ? JSON.parse(json) : undefined;
}

/** Returns the content of a result in the form of a message's: `content` or `parts`. */
function readContent(json) {
  if (json === undefined || json === "null") return {};
  return json.startsWith("[") ? { parts: jsonItems(json) } : { content: JSON.parse(json) };
}

/** Returns what is left of an object beside its type and what is `shown`, as JSON, or undefined for nothing. */
function restOf(members, shown) {
  const rest = [...members].filter(([name]) => name !== "type" && !shown.includes(name)).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return rest.length ? `{${rest.join(",")}}` : undefined;
}

function imageAddress(part) {
  if (part.source?.type === "base64") return `data:${part.source.media_type};base64,${part.source.data}`;
  const url = part.image_url?.url ?? part.image_url ?? part.source?.url ?? part.url;
  return typeof url === "string" ? url : null;
}

/** Returns the words of a thinking block, and the rest of it as JSON (a signature, say); all of it as JSON where it has none. */
function readThinking(members, json) {
  const field = ["thinking", "text", "content"].find((name) => readString(members.get(name)));
  if (field) return { text: readString(members.get(field)), rest: restOf(members, [field]) };
  const summary = members.get("summary");
  const words = summary?.startsWith("[") ? jsonItems(summary).map((item) => readString(jsonMembers(item).get("text")) ?? "").filter(Boolean) : [];
  return words.length ? { text: words.join("\n\n"), rest: restOf(members, ["summary"]) } : { json };
}

/** Returns the thinking of a message that stands in no part; read once. */
function thinkingOf(item) {
  return (item.thought ??= (item.thinking ?? []).map((json) => readThinking(jsonMembers(json), json)));
}

/** Returns in words what a text is that shows nothing, or null for one that does. */
function emptyWords(text) {
  if (text === "") return "empty text";
  return /\S/.test(text) ? null : "only white space";
}

/** Returns in words that a message or a result holds nothing, or null where it does. */
function emptyContent(message) {
  if (message.parts) return message.parts.length ? null : "no content";
  return message.content ? emptyWords(message.content) : "no content";
}

/** Adds the texts of a content, as find looks through them, in the order in which they are shown. */
function addContent(message, prefix, add) {
  if (message.content !== undefined) add(`${prefix}text`, message.content);
  partsOf(message).forEach((part, n) => {
    const key = `${prefix}part${n}`;
    if (part.is === "result" && !part.answers) {
      add(`${key}.id`, part.id);
      addContent(part, `${key}.`, add);
    } else if (part.is !== "result" && part.is !== "call") add(key, part.text ?? part.url ?? part.json, part.json !== undefined);
    add(`${key}.rest`, part.rest, true);
  });
}

/** Returns the content of a message: its text, or its parts one by one; the cards of its calls where they stand. */
function contentBlocks(ctx, at, prefix, message, { fold: folding, prose = false, path = "" }) {
  const empty = emptyContent(message);
  if (empty) return message.calls && !message.parts && !message.content ? [] : [el("div.absent", null, empty)];
  if (message.parts) return partsOf(message).map((part, n) => partBlock(ctx, at, `${prefix}part${n}`, part, { fold: folding, prose, where: `part ${n + 1}` }));
  const picture = isPicture(message.content) && picturePart(ctx, at, `${prefix}picture`, message.content, path);
  return [picture, textBlock(ctx, at, `${prefix}text`, message.content, { fold: picture ? FOLD.line : folding, prose: prose && !picture, facts: message.facts })];
}

const PART_BLOCKS = { text: textPart, thinking: thinkingPart, image: imagePart, result: resultPart, json: jsonPart, call: callPart };

function partBlock(ctx, at, key, part, options) {
  const rest = part.rest && part.is !== "thinking" ? jsonBlock(ctx, at, `${key}.rest`, part.rest) : null;
  return el(`div.part.part-${part.is}`, null, PART_BLOCKS[part.is](ctx, at, key, part, options), rest);
}

function textPart(ctx, at, key, part, { fold: folding, prose }) {
  const empty = emptyWords(part.text);
  return empty ? el("div.absent", null, empty) : textBlock(ctx, at, key, part.text, { fold: folding, prose });
}

function callPart(ctx, at, key, part) {
  const n = ctx.model.cards[at].findIndex((card) => card.toolCall.index === part.call);
  return n < 0 ? null : callCard(ctx, at, n);
}

function jsonPart(ctx, at, key, part) {
  return [el("div.label", null, part.kind ? visible(part.kind) : "part without a type"), jsonBlock(ctx, at, key, part.json)];
}

function thinkingPart(ctx, at, key, part) {
  return thinkingFold(ctx, at, key, [part], THINKING_PART[part.kind]);
}

/** Returns thinking, folded, with its length. */
function thinkingFold(ctx, at, key, blocks, word = "thinking") {
  const text = blocks.map(({ text = "" }) => text).join("");
  const title = text ? `${word} · ${text.length > HUGE ? ctx.model.sizeOf(`${at}/${key}.thinking`, text) : plural(characters(text), "character")}` : word;
  return fold(ctx, at, `${key}.thinking`, title, () =>
    blocks.map((block, n) => {
      const own = blocks.length > 1 ? `${key}${n}` : key;
      return [
        block.text === undefined ? jsonBlock(ctx, at, own, block.json) : textBlock(ctx, at, own, block.text, { prose: true }),
        block.rest && jsonBlock(ctx, at, `${own}.rest`, block.rest),
      ];
    }),
  );
}

/** Returns a result: where a card shows it, the way there, else all of it with what it says of itself. */
function resultPart(ctx, at, key, part, { where }) {
  const mark = part.is_error ? el("span.bad", null, "marked as an error") : null;
  const card = ctx.model.cardOf(part.answers);
  if (card) {
    const [message] = part.answers;
    return el("div.facts", null, el("span.soft", null, "↳ result of "), linkButton(`${visible(card.toolCall.name)} in message ${message}`, () => ctx.jump(card.path)), mark && [" · ", mark]);
  }
  const id = part.id === undefined ? "without an id" : [literal(ctx, at, `${key}.id`, part.id)];
  return [
    el("div.facts", null, el("span.label", null, "result "), id, " · ", el("span.warn", null, "answers no call"), mark && [" · ", mark]),
    contentBlocks(ctx, at, `${key}.`, part, { fold: FOLD.payload, path: where }),
  ];
}

function imagePart(ctx, at, key, part, { where }) {
  if (part.image) return picturePart(ctx, at, `${key}.picture`, part.image, where);
  const why = /^data:/i.test(part.url) ? "only PNG, JPEG, GIF and WebP pictures up to 8 million characters are shown" : "not loaded";
  return [el("div.absent", null, `image, ${why}, at`), textBlock(ctx, at, key, part.url, { mono: true, fold: FOLD.payload })];
}

/** Returns a picture, small until it is chosen. */
function picturePart(ctx, at, key, address, where) {
  const id = `${at}/${key}`;
  const large = ctx.view.open.has(id);
  const turn = () => {
    if (large) ctx.view.open.delete(id);
    else ctx.view.open.add(id);
    ctx.refresh(at);
  };
  const label = `${large ? "Show smaller" : "Enlarge"} the image in ${where}`;
  const image = el(`img.picture${large ? ".large" : ""}`, { src: address, alt: `image in ${where}`, decoding: "async" });
  return keyed(el("button.pictured", { type: "button", title: label, "aria-label": label, "aria-expanded": String(large), onclick: turn }, image), id);
}
