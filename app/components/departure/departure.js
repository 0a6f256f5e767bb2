// Goes to another page of the app: one entry in the browser's history, which Streamlit then follows as it follows Back.

let departed = null; // the turn that was followed last; it outlives a component that is drawn anew

export default function ({ data }) {
  if (!data.turn || data.turn === departed) return;
  departed = data.turn;
  // The pages lie side by side, under whatever path the app is served at.
  const address = new URL(`./${data.path}`, window.location.href);
  address.search = data.query;
  window.history[data.replaces ? "replaceState" : "pushState"]({}, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
