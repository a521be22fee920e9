// A surrogate that has no partner: with the `u` flag a pair is one character and doesn't match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What keeps a text from being stored and returned unchanged, in words; undefined when nothing does. */
export function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "a NUL character";
  if (LONE_SURROGATE.test(text)) return "half of a surrogate pair";
  return undefined;
}
