/** The words of a text in lower case: what judges of relevance compare, whatever a search engine makes of it. */
export function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** The words with one space between and around. */
export function normalise(text: string): string {
  return ` ${words(text).join(" ")} `;
}

/** Markdown without its blocks of code. */
export function prose(markdown: string): string {
  return markdown.replaceAll(/^(```|~~~)[^]*?^\1/gm, "\n");
}

/** Markdown without what no reader sees: where links go, tags, comments. */
export function visible(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->|<[^>\n]*>/g, " ")
    .replaceAll(/\]\([^)\s]*[^)]*\)|^\[[^\]]*\]:.*$/gm, "] ")
    .replaceAll(/https?:\/\/\S+/g, " ");
}
