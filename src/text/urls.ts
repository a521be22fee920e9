import { isWellFormed } from "./fold.ts";

/**
 * An address taken apart, or undefined when it is none. `URL.canParse` is not to be asked: in Node 20 it denies addresses with
 * letters such as ä as soon as V8 has compiled its caller, and `URL.parse` came later.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Whether the text is a full http or https address as a person would write it. Stricter than URL, which
 * repairs backslashes, missing slashes, line breaks and blanks that browsers and other readers take otherwise.
 */
export function isHttpUrl(text: string): boolean {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes("@")) return false;
  return !/[\p{Z}\p{Cc}\p{Cf}\\<>"]/u.test(text) && isWellFormed(text) && parseUrl(text) !== undefined;
}
