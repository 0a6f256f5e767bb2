// Numbers and units in words. Figures are grouped as in English, whatever the browser's language: so are the tables.

const grouped = new Intl.NumberFormat("en-US");

function count(number) {
  return grouped.format(number);
}

/** `plural(1, "attempt")` is "1 attempt", `plural(1200, "attempt")` is "1,200 attempts". */
function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function duration(ms) {
  if (ms < 1) return `${Number(ms.toFixed(2))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Characters are Unicode code points, as everywhere in this project; JavaScript counts UTF-16 units. */
function characters(text) {
  let total = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      total--;
      i++;
    }
  }
  return total;
}

/** A length in UTF-16 units that does not split a character. */
function wholeCharacters(text, length) {
  return (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length + 1 : length;
}

/** The first words of a text on one line. */
function firstWords(text, length = 160) {
  return visible(text.slice(0, length * 2).replace(/\s+/g, " ").trim().slice(0, length));
}
