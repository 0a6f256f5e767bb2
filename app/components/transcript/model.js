// The data of the transcript, indexed: the item of each path, what has failed, and the texts of each item.

class TranscriptModel {
  constructor(data) {
    this.data = data;
    this.items = data.items;
    this.kinds = new Map();
    this.sizes = new Map();
    this.itemOfMessage = new Map();
    this.itemOfCall = new Map();
    this.cards = this.items.map((item) => this.cardsOf(item));
    this.items.forEach((item, at) => {
      if (item.type === "message" || item.type === "dropped") this.itemOfMessage.set(item.index, at);
      for (const card of this.cards[at]) for (const call of card.attempts) this.itemOfCall.set(call.sequence, at);
    });
    this.attributed = data.calls.some((call) => call.actor !== undefined);
    this.suggestions = new Map(Object.entries(data.suggestions));
    this.thin = this.items[0].type === "thin";
    this.heading = this.items.findIndex((item) => item.type === "heading");
    this.failures = this.items.flatMap((_, at) => this.failuresOf(at));
  }

  /** Returns the cards of an item: one a tool call of a message, one for a chain of the log. */
  cardsOf(item) {
    if (item.type === "log") {
      const chain = this.data.chains[item.chain];
      const attempts = chain.calls.map((sequence) => this.data.calls[sequence]);
      return [{ attempts, chain, start: 0, whole: true, receipt: attempts.at(-1), path: `calls[${chain.calls.at(-1)}]`, toolCall: null }];
    }
    if (item.type !== "message" || !item.calls) return [];
    return item.calls.map((toolCall) => ({
      toolCall,
      path: `${messagePath(item.index)}.tool_calls[${toolCall.index}]`,
      ...this.evidence(toolCall),
    }));
  }

  /** Returns the attempts that answer a tool call: those of the chain up to the receipt, after the receipt before it. */
  evidence(toolCall) {
    if (toolCall.receipt === undefined) return { attempts: [], chain: null, whole: false, receipt: null };
    const receipt = this.data.calls[toolCall.receipt];
    const chain = this.data.chains[receipt.chain];
    this.receipts ??= new Set(this.items.flatMap((i) => (i.calls ?? []).map((call) => call.receipt)));
    const end = chain.calls.indexOf(toolCall.receipt);
    let start = end;
    while (start > 0 && !this.receipts.has(chain.calls[start - 1])) start--;
    return {
      attempts: chain.calls.slice(start, end + 1).map((sequence) => this.data.calls[sequence]),
      start,
      chain,
      whole: start === 0 && end === chain.calls.length - 1,
      receipt,
    };
  }

  /** Returns what the model was given for a call: a tool message, or a result in a part of a message; or null. */
  answerOf(card) {
    const { answer, answer_part: part } = card.toolCall ?? {};
    if (answer === undefined) return null;
    const message = this.items[this.itemOfMessage.get(answer)];
    if (part === undefined) return message;
    const result = partsOf(message)[part];
    result.index = answer;
    return result;
  }

  /** Returns the card that shows a tool message in full, or undefined where none does. */
  answeredCard(item) {
    return this.cardOf(item.answers);
  }

  /** Returns the card of the call that a message or a result answers, by the numbers of its message and call. */
  cardOf([message, index] = []) {
    return this.cards[this.itemOfMessage.get(message)]?.find((card) => card.toolCall?.index === index);
  }

  /** Returns whether an item only holds what cards show: it is a line that leads there. */
  isBrief(item) {
    const isShown = (part) => part.is === "result" && this.cardOf(part.answers) && !part.rest;
    return this.answeredCard(item) !== undefined || (item.results !== undefined && partsOf(item).every(isShown));
  }

  /** Returns what a text is shown as: `json`, `markdown` or `plain`. `id` names it among those of the run. */
  kindOf(id, text) {
    return this.once(this.kinds, id, text, () => (isJsonText(text) ? "json" : looksLikeMarkdown(text) ? "markdown" : "plain"));
  }

  /** Returns the size of a text in words. */
  sizeOf(id, text) {
    return this.once(this.sizes, id, text, () => sizeWords(text));
  }

  /** Returns what `reckon` returns for a text, which is asked once as long as the text stays. */
  once(known, id, text, reckon) {
    if (known.get(id)?.text !== text) known.set(id, { text, value: reckon() });
    return known.get(id).value;
  }

  notesOfCard(card) {
    return [...(card.toolCall?.notes ?? []), ...card.attempts.flatMap((call) => call.notes ?? [])];
  }

  /** Returns what the failure keys stop at in an item, as `{at, path}`: calls that failed, by injection and by application error
   * too, error findings, and a failed end. */
  failuresOf(at) {
    const item = this.items[at];
    const isError = (note) => note.severity === "error";
    const paths = this.cards[at]
      .filter((card) => cardState(card).failed || this.notesOfCard(card).some(isError))
      .map((card) => card.path);
    const own = (item.type === "final" && (item.failed || item.response_error)) || item.notes?.some(isError);
    return (own ? [itemPath(this, at), ...paths] : paths).map((path) => ({ at, path }));
  }

  warned(at) {
    const notes = [...(this.items[at].notes ?? []), ...this.cards[at].flatMap((card) => this.notesOfCard(card))];
    return this.items[at].type === "dropped" || notes.some((note) => note.severity === "warning");
  }

  /** Returns the item that shows what is at a path, with the card in it, or null for a path that the transcript does not show. */
  locate(path) {
    const { message, toolCall, sequence, root } = readPath(path);
    if (message !== undefined) {
      const at = this.itemOfMessage.get(message);
      if (at === undefined) return null;
      return { at, path: this.cards[at].some((card) => card.path === toolCall) ? toolCall : messagePath(message) };
    }
    if (sequence !== undefined) {
      const at = this.itemOfCall.get(sequence);
      if (at === undefined) return null;
      const card = this.cards[at].find((one) => one.attempts.some((attempt) => attempt.sequence === sequence));
      const retried = card.attempts.length > 1 && card.receipt.sequence !== sequence;
      return { at, path: card.path, attempt: retried ? sequence : null };
    }
    return SHOWN_AT_END.includes(root) ? { at: this.items.length - 1, path: "final_response" } : null;
  }

  /** Returns everything of an item that can be searched, in the order in which it is shown: `{key, text, isJson}`. */
  sections(at) {
    const item = this.items[at];
    const sections = [];
    const add = (key, text, isJson = false) => text && sections.push({ key, text, isJson: isJson || looksLikeJson(text) });
    const addPayload = (key, block) => block && add(key, block.text ?? block.json);
    const addNotes = (prefix, notes) =>
      notes?.forEach((note, n) => {
        add(`${prefix}title${n}`, note.title);
        add(`${prefix}note${n}`, note.message);
      });
    if (item.type === "dropped") {
      add("reason", item.reason);
      add("entry", item.entry);
    }
    if (item.type === "thin") {
      add("reason", item.reason);
      item.export_warnings.forEach((text, n) => add(`export${n}`, text));
    }
    if (item.type === "final") {
      add("response_error", item.response_error);
      add("text", item.text);
      add("class", item.error_class);
      addPayload("error", item.error);
    }
    if (item.type === "message") {
      add("name", item.name);
      thinkingOf(item).forEach((block, n, { length }) => {
        const key = length > 1 ? `thinking${n}` : "thinking";
        add(key, block.text ?? block.json);
        add(`${key}.rest`, block.rest);
      });
      if (!this.answeredCard(item)) addContent(item, "", add);
    }
    this.cards[at].forEach((card, n) => {
      const { toolCall, receipt } = card;
      add(`${n}.tool`, toolCall?.name ?? receipt.tool);
      const from = toolCall?.arguments !== undefined ? toolCall : (receipt ?? {});
      add(`${n}.arguments`, from.arguments);
      for (const call of card.attempts) {
        const key = `${n}.${call.sequence}`;
        if (call !== receipt || toolCall?.arguments !== undefined) add(`${key}.arguments`, call.arguments);
        add(`${key}.actor`, call.actor);
        add(`${key}.class`, call.error_class);
        addPayload(`${key}.error`, call.error);
        addPayload(`${key}.response`, call.response);
        addPayload(`${key}.validation`, call.validation && { json: call.validation });
        addPayload(`${key}.extra`, call.extra && { json: call.extra });
      }
      addPayload(`${n}.extra`, toolCall?.extra && { json: toolCall.extra });
      const answer = this.answerOf(card);
      if (answer) addContent(answer, `${n}.given.`, add);
      addNotes(`${n}.`, this.notesOfCard(card));
    });
    if (item.more) add("extra", item.extra);
    addNotes("", item.notes);
    return sections;
  }
}

const SHOWN_AT_END = ["final_response", "response_error", "error", "error_class", "status"];

function messagePath(index) {
  return `messages[${index}]`;
}

/** Takes a path apart, the only place to do so: the message, and the path of the tool call in it; or the sequence of a
 * logged call; else its root. */
function readPath(path) {
  const [, root, index, call] = /^(\w*)(?:\[(\d+)\])?(?:\.tool_calls\[(\d+)\])?/.exec(path);
  if (root === "messages" && index) {
    return { message: Number(index), toolCall: call && `${messagePath(index)}.tool_calls[${call}]` };
  }
  return root === "calls" && index ? { sequence: Number(index) } : { root };
}

/** Returns a call for the clipboard: what the model toolCall, and its receipts, the last one last. */
function cardJson(model, card) {
  const answer = model.answerOf(card);
  const attempts = card.attempts.map((call) => {
    const fields = { ...call };
    for (const field of ["arguments", "undecoded", "response", "error", "validation", "extra", "notes"]) delete fields[field];
    const members = Object.entries(fields).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
    const put = (name, json) => json !== undefined && members.push(`"${name}":${json}`);
    const from = call.arguments !== undefined ? call : (card.toolCall ?? card.receipt);
    put("arguments", argumentsJson(from));
    // What equals the answer to the model is not sent twice.
    const same = card.toolCall?.agreement === "same" && call === card.receipt ? answer?.content : undefined;
    put("response", blockJson(call.response) ?? (same && (layOutJson(same, true) ?? JSON.stringify(same))));
    put("error", blockJson(call.error));
    put("validation", call.validation);
    put("extra", call.extra);
    return `{${members.join(",")}}`;
  });
  const toolCall = card.toolCall ? `"tool_call":${toolCallJson(card.toolCall)},` : "";
  return shownJson(`{"path":${JSON.stringify(card.path)},${toolCall}"receipts":[${attempts.join(",")}]}`);
}

function blockJson(block) {
  return block === undefined ? undefined : block.text !== undefined ? JSON.stringify(block.text) : block.json;
}

function argumentsJson(call) {
  return call.undecoded === "text" ? JSON.stringify(call.arguments) : call.arguments;
}

/** Returns a message as JSON text, as it stands in the run document. */
function messageJson(item) {
  const fields = [`"index":${item.index}`, `"role":${JSON.stringify(item.role)}`];
  const put = (name, json) => json !== undefined && fields.push(`"${name}":${json}`);
  put("content", item.parts ? `[${item.parts.join(",")}]` : JSON.stringify(item.content ?? null));
  put("tool_call_id", JSON.stringify(item.tool_call_id));
  put("tool_calls", item.calls && `[${item.calls.map(toolCallJson).join(",")}]`);
  put("thinking", item.thinking && `[${item.thinking.join(",")}]`);
  put("extra", item.extra);
  return shownJson(`{${fields.join(",")}}`);
}

function toolCallJson(call) {
  const text = argumentsJson(call) ?? "null";
  const extra = call.extra ? `,"extra":${call.extra}` : "";
  return `{"id":${JSON.stringify(call.id ?? null)},"name":${JSON.stringify(call.name)},"arguments":${text}${extra}}`;
}
