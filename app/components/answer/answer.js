// The component: a text that folds, with its facts marked.

const FOLDED_ABOVE = { characters: 700, lines: 9 };
const FOLDED_SHOWS = 2000; // characters; more of them would be drawn for nothing

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
    const title = "A hint for the reviewer, never a verdict: sums and other spellings stand nowhere either.";
    return [el("span", { title }, el("span.warn", null, `${count(nowhere)} of ${plural(this.facts.length, "fact")}`), " found in no receipt, message or task input")];
  }
}

export default function (component) {
  const { view, unmount } = mountView(component, "answer", Answer);
  view.jump = (path) => component.setTriggerValue("jump", { path });
  return unmount;
}
