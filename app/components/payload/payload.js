// The component: one JSON value as a tree, with its size and its copy.

const PAYLOAD_WIDTH = 44; // characters of JSON on a line beside the table of calls
const LONG_PAYLOAD = 400; // characters of a value that has its size and its copy below it

class Payload {
  constructor(root) {
    this.root = root;
  }

  load({ json }) {
    this.json = json;
    this.state = new TreeState(json);
    this.draw();
  }

  draw() {
    const focused = this.root.getRootNode().activeElement?.dataset.key;
    const foot = el("div.foot", null, el("span", null, plural(characters(this.json), "character")), linkButton("Copy", (event) => copyText(this.json, event.currentTarget)));
    this.root.replaceChildren(
      jsonTree(this.state, { id: "payload", redraw: () => this.draw(), width: PAYLOAD_WIDTH }),
      ...(this.json.length > LONG_PAYLOAD ? [foot] : []),
    );
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

export default function (component) {
  return mountView(component, "payload", Payload);
}
