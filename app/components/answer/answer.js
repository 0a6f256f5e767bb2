// The component: a text that folds, with its facts marked.

const FOLDED_SHOWS = 2000; // characters of a folded text; more of them would be drawn for nothing

class Answer {
  constructor(root) {
    this.root = root;
  }

  load({ text, facts, label }) {
    Object.assign(this, { text, facts, label });
    this.open = false;
    this.draw();
    this.observer ??= new ResizeObserver(() => this.measure());
    this.observer.observe(this.root);
  }

  destroy() {
    this.observer?.disconnect();
  }

  draw() {
    const shown = this.open ? this.text : this.text.slice(0, wholeCharacters(this.text, Math.min(FOLDED_SHOWS, this.text.length)));
    const body = el(`div.txt${this.open ? ".open" : ".folded"}`, { dir: "auto" });
    fillLiteral(body, shown, null, -1);
    markFacts(body, this.facts, (path) => this.jump(path));
    isolateWords(body);
    if (this.label) body.prepend(el("span.label", null, this.label), " ");
    this.body = body;
    this.foot = el("div.foot");
    this.root.replaceChildren(body, this.foot);
    this.measure();
  }

  /** Offers the rest where the folded text does not fit, which depends on the width. */
  measure() {
    const cut = this.body.scrollHeight > this.body.clientHeight + 1 || this.text.length > FOLDED_SHOWS;
    const long = this.open || cut;
    if (this.long === long && this.foot.childElementCount) return;
    this.long = long;
    this.foot.replaceChildren(...[...this.groundingWords(), long && this.toggle()].filter(Boolean));
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
  return mountView(component, "answer", Answer, {
    prepare(view) {
      view.jump = (path) => component.setTriggerValue("jump", { path });
    },
  });
}
