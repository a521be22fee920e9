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
