import { isWellFormed } from "../text/fold.ts";

/** What keeps a text from being stored and returned unchanged, in words; undefined when nothing does. */
export function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "a NUL character";
  return isWellFormed(text) ? undefined : "half of a surrogate pair";
}
