/** `URL.canParse` of Node 20 denies letters such as ä once V8 has compiled its caller. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Stricter than URL, which repairs backslashes, missing slashes, line breaks and blanks. */
export function isHttpUrl(text: string): boolean {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes("@")) return false;
  return !/[\p{Z}\p{Cc}\p{Cf}\\<>"]/u.test(text) && text.isWellFormed() && parseUrl(text) !== undefined;
}
