// Goes to another page of the app: one entry in the browser's history, which Streamlit then follows as it follows Back.

let lastTurn = null; // it outlives a component that is drawn anew

export default function ({ data }) {
  if (!data.turn || data.turn === lastTurn) return;
  lastTurn = data.turn;
  const left = new URL(window.location.href);
  if (data.sayWhenEmpty && !left.searchParams.has(data.sayWhenEmpty)) {
    left.searchParams.set(data.sayWhenEmpty, "");
    window.history.replaceState(window.history.state, "", left);
  }
  // The pages are siblings, under whatever path the app is served at.
  const address = new URL(`./${data.path}`, window.location.href);
  address.search = data.query;
  window.history[data.replaces ? "replaceState" : "pushState"]({}, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
