const MAX_CHARACTERS = 104;
const ELLIPSIS = "...";
/** A cut at a word boundary may not lose more than this; a text without spaces is cut where it ends. */
const MIN_KEPT = 60;

/** Gives an article's description from the plain text of its rendered body: one line, at most 104 characters. */
export function describe(text: string, authorName: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return `A post by ${authorName}`;

  // Enough code units for 105 characters, so that a long text is not taken apart as a whole.
  const characters = Array.from(line.slice(0, (MAX_CHARACTERS + 1) * 2));
  if (characters.length <= MAX_CHARACTERS) return line;
  const kept = characters.slice(0, MAX_CHARACTERS - ELLIPSIS.length);
  return endOfWord(kept, characters[kept.length] === " ").trimEnd() + ELLIPSIS;
}

function endOfWord(kept: readonly string[], isWhole: boolean): string {
  const boundary = isWhole ? kept.length : kept.lastIndexOf(" ");
  return kept.slice(0, boundary >= MIN_KEPT ? boundary : kept.length).join("");
}
