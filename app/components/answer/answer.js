// The component: a text that folds, with its facts marked.

const FOLDED_ABOVE = { characters: 700, lines: 9 };
const FOLDED_SHOWS = 2000; // characters; more of them would be drawn for nothing
const mounted = new WeakMap();

class Answer {
  constructor(root) {
    this.root = root;
  }

  load({ text, facts }) {
    this.text = text;
    this.facts = facts;
    this.long = text.length > FOLDED_ABOVE.characters || text.split("\n", FOLDED_ABOVE.lines + 1).length > FOLDED_ABOVE.lines;
    this.open = false;
    this.draw();
  }

  draw() {
    const folded = this.long && !this.open;
    const body = el(`div.txt${folded ? ".folded" : ""}`, { dir: "auto" });
    fillLiteral(body, folded ? this.text.slice(0, wholeCharacters(this.text, Math.min(FOLDED_SHOWS, this.text.length))) : this.text, null, -1);
    markFacts(body, this.facts, (path) => this.jump(path));
    isolateWords(body);
    const foot = [this.long && this.toggle(), ...this.groundingWords()].filter(Boolean);
    this.root.replaceChildren(body, ...(foot.length ? [el("div.foot", null, foot)] : []));
  }

  toggle() {
    const words = this.open ? "Show less" : `Show all ${count(characters(this.text))} characters`;
    const turn = () => {
      this.open = !this.open;
      this.draw();
      this.root.querySelector(".foot .link").focus({ preventScroll: true });
    };
    return linkButton(words, turn);
  }

  groundingWords() {
    const nowhere = this.facts.filter((fact) => fact.path === undefined).length;
    if (!nowhere) return [];
    const title = "A hint for the reviewer, never a verdict: sums and other spellings stand nowhere either (R37).";
    return [el("span", { title }, el("span.warn", null, `${count(nowhere)} of ${plural(this.facts.length, "fact")}`), " found in no receipt, message or task input")];
  }
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector("[data-part=answer]");
  let view = mounted.get(parentElement);
  if (view?.root !== root) {
    view = new Answer(root);
    mounted.set(parentElement, view);
  }
  view.jump = (path) => setTriggerValue("jump", { path });
  // Two runs may answer alike, and the second is folded all the same.
  const shown = (head) => `${head.run} ${head.digest}`;
  const { head, body } = decodePayload(data, null);
  if (view.shown !== shown(head)) {
    view.load(body);
    view.shown = shown(head);
  }
  return () => mounted.delete(parentElement);
}
