/** Counts code points, as PostgreSQL's `char_length` does. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
