/** How many characters a text has, as PostgreSQL's `char_length` counts them: code points. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
