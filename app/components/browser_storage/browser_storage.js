// A few named texts in the browser's own storage: read once a session, written when the server says so.

const PREFIX = "trace-inspector.";
let written = null; // the turn that was written last; it outlives a component that is drawn anew

/** What is kept under these names; nothing where the browser keeps nothing (private windows, blocked storage). */
function recalled(names) {
  const found = {};
  try {
    for (const name of names) {
      const value = window.localStorage.getItem(PREFIX + name);
      if (value !== null) found[name] = value;
    }
  } catch {
    return {}; // storage is blocked: the session remembers by itself
  }
  return found;
}

function kept(values) {
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value) window.localStorage.setItem(PREFIX + name, value);
      else window.localStorage.removeItem(PREFIX + name);
    }
  } catch {
    // Blocked or full: as above.
  }
}

export default function ({ data, setStateValue }) {
  if (data.turn && data.turn !== written) {
    kept(data.keep);
    written = data.turn;
  }
  if (data.is_heard) return;
  const found = recalled(data.names);
  if (Object.keys(found).length) setStateValue("recalled", found);
}
