import { isWellFormed } from "./fold.ts";

/** The fault of a text that can't be stored and returned unchanged. */
export function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "a NUL character";
  return isWellFormed(text) ? undefined : "half of a surrogate pair";
}
