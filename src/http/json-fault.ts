const SPACE = /[ \t\n\r]+/y;
/** Without control characters, quotes and backslashes. */
const PLAIN = /[ !#-[\]-\uffff]+/y;
const ESCAPE = /\\u[\dA-Fa-f]{4}/y;
const SHORT_ESCAPES = '"\\/bfnrt';
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** A longer text, which would cost more than 20 ms, is only called broken. */
const MAX_LENGTH = 1024 * 1024;

/** Where a text stops being JSON, in words: V8 names the position of some faults only. */
export function jsonFault(text: string): string {
  if (text.length > MAX_LENGTH) return "The body isn't valid JSON.";
  const at = endOfJson(text);
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  const place = `at line ${line}, column ${column}`;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return at >= text.length
    ? `The body isn't complete JSON: it ends ${place}.`
    : `The body isn't valid JSON: unexpected ${JSON.stringify(character)} ${place}.`;
}

/** Where bytes stop being UTF-8, in words. */
export function utf8Fault(bytes: Buffer): string {
  // Decoding replaces the first wrong byte.
  const replaced = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === replaced[at]) at++;
  return `The body isn't UTF-8: byte ${at + 1} is wrong.`;
}

/** The position of the first character that can't be there; the length of the text if it ends too early. */
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
