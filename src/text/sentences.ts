const AND = new Intl.ListFormat("en", { type: "conjunction" });

/** "A", "A and B", "A, B, and C". */
export function joinSentences(sentences: readonly string[]): string {
  return AND.format(sentences);
}

/** "1 article", "2 articles". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
