/** The fault of a text that can't be stored and returned unchanged. */
export function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "a NUL character";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}

/** Counts code points, as PostgreSQL's `char_length` does. */
export const countCharacters = (text: string): number => Array.from(text).length;
