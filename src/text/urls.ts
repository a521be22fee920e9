import { invalid } from "../errors.ts";
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

/** Canonical addresses stand in a unique index, whose entries PostgreSQL bounds at about 2,700 bytes. */
const MAX_CANONICAL_BYTES = 2000;

/**
 * Whether the text is a full http or https address as a person would write it. Stricter than URL, which
 * repairs backslashes, missing slashes, line breaks and blanks that browsers and other readers take otherwise.
 */
export function isHttpUrl(text: string): boolean {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes("@")) return false;
  return !/[\p{Z}\p{Cc}\p{Cf}\\<>"]/u.test(text) && isWellFormed(text) && parseUrl(text) !== undefined;
}

/** Refuses a canonical_url that isn't an address. It is printed and never fetched, so any host will do. */
export function checkCanonicalUrl(text: string): void {
  if (text === "") return;
  if (!isHttpUrl(text)) {
    throw invalid(
      "Canonical url must be a full http or https address without spaces or credentials, such as https://example.com/post",
    );
  }
  if (Buffer.byteLength(text) > MAX_CANONICAL_BYTES) {
    throw invalid(`Canonical url is too long (maximum is ${MAX_CANONICAL_BYTES} bytes)`);
  }
}
