/** Stands for this site where an address is relative; a name that no address in a text resolves to. */
const HERE = "https://here.invalid";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"]);
const IMAGE_SCHEMES = new Set(["http:", "https:"]);

/** Gives the address a link may lead to (http, https, mailto or relative), or undefined. */
export function linkTarget(text: string): string | undefined {
  const address = text.trim();
  return LINK_SCHEMES.has(resolve(address)?.protocol ?? "") ? address : undefined;
}

/** Gives the address an image may come from (http, https or a path from the root), or undefined. */
export function imageSource(text: string): string | undefined {
  const address = text.trim();
  if (!SCHEME.test(address) && !/^[/\\]/.test(address)) return undefined;
  return IMAGE_SCHEMES.has(resolve(address)?.protocol ?? "") ? address : undefined;
}

/** Whether a link leads to another host; one with a full address always counts as such. */
export function isOutbound(address: string): boolean {
  const url = resolve(address);
  if (url === undefined || url.protocol === "mailto:") return false;
  return SCHEME.test(address) || url.origin !== HERE;
}

/**
 * Reads an address as browsers do. Control characters are refused, because browsers drop some of them
 * and so read another scheme than a filter does.
 */
function resolve(address: string): URL | undefined {
  if (address === "" || /\p{Cc}/u.test(address)) return undefined;
  try {
    return SCHEME.test(address) ? new URL(address) : new URL(address, `${HERE}/`);
  } catch {
    return undefined;
  }
}
