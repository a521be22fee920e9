import { isIP } from "node:net";
import { parseUrl } from "../text/urls.ts";
import { isPublic } from "./public-addresses.ts";
import { FetchFailure } from "./failure.ts";

export interface Policy {
  /** Development may use http, any address and any port. */
  allowPrivateNetwork: boolean;
  /** Ports that requests may use beside 80 and 443. */
  outboundPorts: readonly number[];
}

/** This computer or its network, whatever they resolve to. */
const PRIVATE_NAMES = ["localhost", "localdomain", "internal", "local", "arpa"];

/**
 * Checks an address by its text; resolved addresses are checked when connecting.
 * @throws FetchFailure
 */
export function checkDestination(text: string, policy: Policy, { httpsOnly = false } = {}): URL {
  const url = parseUrl(text);
  if (!url) throw new FetchFailure("url", "This is not a web address.");
  const schemes = httpsOnly && !policy.allowPrivateNetwork ? ["https:"] : ["http:", "https:"];
  if (!schemes.includes(url.protocol)) {
    throw new FetchFailure(
      "url",
      `A web address must start with ${schemes.map((s) => `${s}//`).join(" or ")}.`,
    );
  }
  if (url.username || url.password)
    throw new FetchFailure("url", "A web address must not hold a user name or password.");
  if (!policy.allowPrivateNetwork) checkHost(url, policy);
  return url;
}

function checkHost(url: URL, { outboundPorts }: Policy): void {
  const host = hostOf(url);
  const labels = host.replace(/\.+$/, "").split(".");
  if (PRIVATE_NAMES.includes(labels.at(-1) ?? "")) throw privateAddress();
  if (isIP(host) !== 0 && !isPublic(host)) throw privateAddress();
  const ports = [80, 443, ...outboundPorts];
  if (url.port !== "" && !ports.includes(Number(url.port))) {
    const allowed = `${ports.slice(0, -1).join(", ")} or ${ports.at(-1)}`;
    throw new FetchFailure(
      "url",
      `Port ${url.port} isn't fetched from: it must be ${allowed}.`,
      FORBIDDEN_PORT,
    );
  }
}

export const FORBIDDEN_PORT = "FORBIDDEN_PORT";

/** The message doesn't name the address, which may be a secret of its network. */
export function privateAddress(): FetchFailure {
  return new FetchFailure(
    "address",
    "The address leads into a private network, which nothing is fetched from.",
  );
}

/** The host of an address; IPv6 has no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Reserved names, and those of home and office networks. */
const UNDELEGATED = ["test", "invalid", "lan", "home", "corp", "intranet", "private"];

/** Whether the host's text is a public address or name; looks nothing up. */
export function isReachableAnywhere(url: URL): boolean {
  const host = hostOf(url).replace(/\.+$/, "");
  if (isIP(host) !== 0) return isPublic(host);
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  return labels.length > 1 && !PRIVATE_NAMES.includes(top) && !UNDELEGATED.includes(top);
}
