import { createIsbotFromList, list } from "isbot";
import { LRUCache } from "lru-cache";

/**
 * Patterns that tell browsers from everything else. People also read with programs that are built on
 * the API, and those are called by whatever they are written with.
 */
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

/** Whether a pattern is somebody's name, and not a shape that names of browsers never have. */
function hasName(pattern: string): boolean {
  return /[a-z0-9]{3}/.test(pattern.replaceAll(/\\\w|\(\?\S/g, " "));
}

/** Who crawls by convention gives an address that says why. */
const ADDRESS = "\\+\\s?https?:";

const isNamed = createIsbotFromList([
  ...list.filter((pattern) => hasName(pattern) && !LIBRARIES.has(pattern)),
  ADDRESS,
]);

/** Hundreds of patterns are tried on a name, and few names make most of the requests. */
const known = new LRUCache<string, boolean>({ max: 1_000 });

const MAX_LENGTH = 512;

/** Whether this is a crawler, a monitor or a preview, by what it calls itself. */
export function isBot(userAgent: string): boolean {
  const name = userAgent.slice(0, MAX_LENGTH);
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const judged = isNamed(name);
  known.set(name, judged);
  return judged;
}
