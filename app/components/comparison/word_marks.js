// The words in which two texts differ.

const WORD = /\s+|[\p{L}\p{N}_]+|[^\s]/gu;
const LARGEST_WORD_TABLE = 1_500_000; // words of one text times words of the other
const LEAST_IN_COMMON = 0.2; // of the shorter text's words: below, marks of single words would only confuse

/**
 * Two texts as pieces `{ text, marked }`; marked ones are not in the other. Where the texts are too long, or have too
 * little in common, everything between their common beginning and end is one marked piece.
 */
function markWords(left, right) {
  const one = left.match(WORD) ?? [];
  const other = right.match(WORD) ?? [];
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const a = one.slice(head, one.length - tail);
  const b = other.slice(head, other.length - tail);
  const common = a.length * b.length <= LARGEST_WORD_TABLE ? commonWords(a, b) : [];
  const alike = common.filter(([i]) => /[\p{L}\p{N}]/u.test(a[i])).length;
  const matches = alike >= LEAST_IN_COMMON * Math.min(a.length, b.length) ? common : [];
  const inCommon = (middle, indexes) => {
    const matched = new Set(indexes);
    return middle.map((text, at) => ({ text, marked: !matched.has(at) }));
  };
  const whole = (words, middle) => [
    { text: words.slice(0, head).join(""), marked: false },
    ...middle,
    { text: tail ? words.slice(-tail).join("") : "", marked: false },
  ];
  return [
    joined(whole(one, inCommon(a, matches.map(([i]) => i)))),
    joined(whole(other, inCommon(b, matches.map(([, j]) => j)))),
  ];
}

/** Returns the indexes of a longest common subsequence of words. */
function commonWords(a, b) {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      table[at] = a[i] === b[j] ? table[at + width + 1] + 1 : Math.max(table[at + width], table[at + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** Joins neighbours of one kind to one piece; white space between two marked words is marked with them. */
function joined(pieces) {
  const filled = pieces.filter(({ text }) => text);
  const out = [];
  filled.forEach(({ text, marked }, at) => {
    const between = !marked && /^\s+$/.test(text) && filled[at - 1]?.marked && filled[at + 1]?.marked;
    const as = marked || Boolean(between);
    if (out.at(-1)?.marked === as) out.at(-1).text += text;
    else out.push({ text, marked: as });
  });
  return out;
}

/** Returns the pieces from `from` on, at most `length` UTF-16 units of them. */
function cutPieces(pieces, from, length) {
  const out = [];
  let at = 0;
  for (const { text, marked } of pieces) {
    const start = Math.max(0, from - at);
    const end = Math.min(text.length, from + length - at);
    if (end > start) out.push({ text: text.slice(start, end), marked });
    at += text.length;
  }
  return out;
}
