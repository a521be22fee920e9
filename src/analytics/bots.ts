import { createIsbotFromList, list } from "isbot";

/** Patterns of programs that aren't browsers. People read with programs built on the API, so these count. */
export const LIBRARIES: ReadonlySet<string> = new Set([
  "(?<!lib)http",
  "@[a-z][\\w-]+\\.",
  "\\.com\\b",
  "\\bperl\\b",
  "^apache/",
  "^client/",
  "^custom",
  "^php",
  "^postman",
  "^python",
  "^read",
  "^rest",
  "^wget",
  "agent\\b",
  "java(?!;)",
  "library",
  "node\\b",
  "tools",
  "url",
]);

/** Whether a pattern is a name, and not a shape that browsers' names never have. */
function hasName(pattern: string): boolean {
  return /[a-z0-9]{3}/.test(pattern.replaceAll(/\\\w|\(\?\S/g, " "));
}

/** Crawlers by convention give the address of an explanation. */
const ADDRESS = "\\+\\s?https?:";

const isNamed = createIsbotFromList([
  ...list.filter((pattern) => hasName(pattern) && !LIBRARIES.has(pattern)),
  ADDRESS,
]);

const MAX_LENGTH = 512;

export function isBot(userAgent: string): boolean {
  return isNamed(userAgent.slice(0, MAX_LENGTH));
}
