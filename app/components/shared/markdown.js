// Markup of the server's Markdown, built anew from an allow-list. The only place that parses markup: into a document
// of its own that runs nothing and fetches nothing, of which nothing but names of elements and text is taken over.

const MARKUP = new Set("P H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG S HR BR TABLE THEAD TBODY TR TH TD".split(" "));
const DEEPEST_MARKUP = 60;

/** Fills `node` with what `html` means; an element that is not in the list leaves only its text. */
function fillMarkdown(node, html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  node.replaceChildren(...rebuilt(body, 0));
}

function rebuilt(parent, depth) {
  const built = [];
  for (const child of parent.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) built.push(visible(child.data));
    else if (child.nodeType !== Node.ELEMENT_NODE) continue;
    else if (!MARKUP.has(child.tagName) || depth > DEEPEST_MARKUP) built.push(visible(child.textContent));
    else {
      const start = child.tagName === "OL" ? Number(child.getAttribute("start")) : 0;
      built.push(el(child.tagName.toLowerCase(), Number.isSafeInteger(start) && start > 1 ? { start } : null, rebuilt(child, depth + 1)));
    }
  }
  return built;
}

const LONGEST_MARKDOWN = 50_000; // characters that the server lays out
const MARKDOWN_SIGNS = [
  /^ {0,3}#{1,6} +\S/m, // heading
  /^ {0,3}(?:```|~~~)/m, // fence
  /^ {0,3}[-*+] +\S/m, // list
  /^ {0,3}\d{1,9}[.)] +\S/m, // numbered list
  /^ {0,3}> ?\S/m, // quote
  /(?<=\S[ \t]*\r?\n) {0,3}=+[ \t]*\r?$/m, // underlined heading
  /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*\r?$/m, // rule
  /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?[ \t]*\r?$/m, // the second line of a table
  /\*\*(?=[^\s*])[^\n*]*[^\s*]\*\*/, // strong
  /(?<![\w*])\*(?=[^\s*])[^\n*]*[^\s*]\*(?![\w*])/, // emphasis
  /~~(?=\S)[^\n~]*\S~~/, // struck out
  /(?<!`)`[^`\n]+`(?!`)/, // code
  /!?\[[^[\]\n]+\]\([^()\s]+\)/, // link or image
];

/** Returns whether a text is Markdown: cheap, and true only for what would look different when it is laid out. */
function looksLikeMarkdown(text) {
  return text.length <= LONGEST_MARKDOWN && MARKDOWN_SIGNS.some((sign) => sign.test(text));
}
