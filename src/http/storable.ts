declare global {
  interface String {
    /** Whether no surrogate is without its partner; every Node that we run on has it. */
    isWellFormed(): boolean;
  }
}

/** What keeps a text from being stored and returned unchanged, in words; undefined when nothing does. */
export function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "a NUL character";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}
