import type { MarkdownIt, Token } from "markdown-it";
import { surroundingsOf } from "./surroundings.ts";

/** Parses the text of each block as markdown-it does, and lets the rules know which block it is. */
export function inlineWithPlaces(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.at("inline", ({ tokens, md, env }) => {
    const surroundings = surroundingsOf(env);
    const isRaw = rawLines(surroundings.rawRanges);
    for (const token of tokens) {
      // Cells of a table have no place of their own: their row has.
      if (token.map) surroundings.line = token.map[0];
      if (token.type !== "inline") continue;
      surroundings.isRaw = isRaw(surroundings.line);
      md.inline.parse(token.content, md, env, (token.children ??= [] as Token[]));
    }
  });
}

/** Tells, of lines in ascending order, whether they are in one of these ranges. */
function rawLines(ranges: readonly { from: number; to: number }[]): (line: number) => boolean {
  let at = 0;
  return (line) => {
    while (at < ranges.length && (ranges[at]?.to ?? 0) < line) at++;
    return (ranges[at]?.from ?? Infinity) < line;
  };
}
