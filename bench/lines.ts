import { FRESH } from "./lines/fresh-search.ts";
import type { Line } from "./lines/line.ts";
import { PAGES } from "./lines/pages.ts";

/** The numbers of articles for which there are limits. */
export const SMALL = 10_000;
export const LARGE = 100_000;

/** All lines in the order of the table, with their limits at a size. */
export function linesAt(articles: number): Line[] {
  return [...FRESH, ...PAGES].map(({ targets, largeTargets, ...line }) => {
    const limits = articles === LARGE ? largeTargets : targets;
    return { ...line, ...(limits && { targets: limits }) };
  });
}

/** The same line where not all articles are in memory, if that is of interest. */
export function withDefaultMemory({ name, timesByDefault: times, requests }: Line): Line[] {
  if (times === undefined) return [];
  const targets = { noDearerThan: name, times };
  return [{ name: `${name}, default memory`, targets, isFresh: true, requests }];
}
