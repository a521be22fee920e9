const MAX_LENGTH = 253;

/** The host of an address, or of what is only a host; undefined when it is neither. */
export function hostOf(referrer: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(referrer) ? referrer : `http://${referrer}`;
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase().replace(/\.$/, "") : "";
  return host === "" || host.length > MAX_LENGTH ? undefined : host;
}
