import { quote } from "../../platform/text/quote.ts";

const SPACE = /[ \t\n\r]+/y;
/** All characters but control characters, quotes and backslashes. */
const PLAIN = /[ !#-[\]-\uffff]+/y;
const ESCAPE = /\\u[\dA-Fa-f]{4}/y;
const SHORT_ESCAPES = '"\\/bfnrt';
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** A phrase for the first fault of a text that is not JSON. @param placeOf words a position in the text */
export function jsonFault(text: string, placeOf: (at: number) => string): string {
  const at = endOfJson(text);
  const character = text.codePointAt(at);
  const fault =
    character === undefined ? "it ends too early," : `unexpected ${quote(String.fromCodePoint(character))}`;
  return `${fault} at ${placeOf(at)}`;
}

/**
 * The position of the first character that can't be in JSON; the length of the text if it ends too early. V8 names
 * the position of some faults only.
 */
function endOfJson(text: string): number {
  const closing: string[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const skipString = () => {
    at++;
    for (;;) {
      if (text[at] === "\\" && SHORT_ESCAPES.includes(text[at + 1] ?? "?")) at += 2;
      else if (!skip(text[at] === "\\" ? ESCAPE : PLAIN)) return text[at] === '"' && ++at > 0;
    }
  };
  const skipKey = () => {
    skip(SPACE);
    if (text[at] !== '"' || !skipString()) return false;
    skip(SPACE);
    return text[at] === ":" && ++at > 0;
  };
  let expects: "value" | "value or end" | "next" = "value";
  for (;;) {
    skip(SPACE);
    const sign = text[at];
    if (sign !== undefined && expects !== "value" && sign === closing.at(-1)) {
      closing.pop();
      at++;
      expects = "next";
    } else if (expects === "next") {
      if (sign !== "," || closing.length === 0) return at;
      at++;
      if (closing.at(-1) === "}" && !skipKey()) return at;
      expects = "value";
    } else if (sign === "[" || sign === "{") {
      closing.push(sign === "[" ? "]" : "}");
      at++;
      skip(SPACE);
      if (sign === "{" && text[at] !== "}" && !skipKey()) return at;
      expects = sign === "{" && text[at] !== "}" ? "value" : "value or end";
    } else if (sign === '"' ? !skipString() : !skip(SCALAR)) {
      return at;
    } else {
      expects = "next";
    }
  }
}
