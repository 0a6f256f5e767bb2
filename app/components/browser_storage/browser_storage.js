// A few named texts in the browser's own storage: read once a session, written when the server says so.

const PREFIX = "trace-inspector.";
let lastTurn = null; // it outlives a component that is drawn anew

/** Returns the stored values of these names; none where the browser stores nothing (private windows, blocked storage). */
function readValues(names) {
  try {
    const values = names.map((name) => [name, window.localStorage.getItem(PREFIX + name)]);
    return Object.fromEntries(values.filter(([, value]) => value !== null));
  } catch {
    return {}; // storage is blocked: values last for the session
  }
}

function writeValues(values) {
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
  if (data.turn && data.turn !== lastTurn) {
    writeValues(data.changed);
    lastTurn = data.turn;
  }
  if (data.is_loaded) return;
  const values = readValues(data.names);
  if (Object.keys(values).length) setStateValue("values", values);
}
