/** Made when it is used: it takes a tenth of the start of a command. */
let and: Intl.ListFormat | undefined;

/** "A", "A and B", "A, B, and C". */
export function joinSentences(sentences: readonly string[]): string {
  and ??= new Intl.ListFormat("en", { type: "conjunction" });
  return and.format(sentences);
}

/** "1 article", "2 articles". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
