const MAX_CHARACTERS = 104;
const ELLIPSIS = "...";
/** A text without spaces is cut at the limit. */
const MIN_KEPT = 60;

/** One line of at most 104 characters. */
export function describe(text: string, authorName: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return `A post by ${authorName}`;

  // Spares taking a long text apart.
  const characters = Array.from(line.slice(0, (MAX_CHARACTERS + 1) * 2));
  if (characters.length <= MAX_CHARACTERS) return line;
  const kept = characters.slice(0, MAX_CHARACTERS - ELLIPSIS.length);
  return endOfWord(kept, characters[kept.length] === " ").trimEnd() + ELLIPSIS;
}

function endOfWord(kept: readonly string[], isWhole: boolean): string {
  const boundary = isWhole ? kept.length : kept.lastIndexOf(" ");
  return kept.slice(0, boundary >= MIN_KEPT ? boundary : kept.length).join("");
}
