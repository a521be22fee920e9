import { isIP } from "node:net";
import { isPublic } from "./addresses.ts";
import { FetchFailure } from "./failure.ts";
import { parseUrl } from "../text/urls.ts";

/** What may be reached. */
export interface Policy {
  /** Development and tests: http where https is asked for, every address, every port. */
  allowPrivateNetwork: boolean;
  /** Beside 80 and 443. */
  outboundPorts: readonly number[];
}

/** Names that stand for this computer or its network, whatever they resolve to. */
export const PRIVATE_NAMES = ["localhost", "localdomain", "internal", "local", "arpa"];

/**
 * Refuses addresses by their text. The addresses that a name resolves to are checked when connecting.
 * @throws FetchFailure
 */
export function checkDestination(text: string, policy: Policy, { httpsOnly = false } = {}): URL {
  const url = parseUrl(text);
  if (!url) throw new FetchFailure("url", "This is no web address.");
  const schemes = httpsOnly && !policy.allowPrivateNetwork ? ["https:"] : ["http:", "https:"];
  if (!schemes.includes(url.protocol)) {
    throw new FetchFailure(
      "url",
      `A web address must start with ${schemes.map((s) => `${s}//`).join(" or ")}.`,
    );
  }
  if (url.username || url.password) {
    throw new FetchFailure("url", "A web address must not hold a user name or password.");
  }
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

/** Tells this failure from other addresses that are wrong. */
export const FORBIDDEN_PORT = "FORBIDDEN_PORT";

/** Doesn't say where: a name or a redirect may lead to an address that only the people of that network know. */
export function privateAddress(): FetchFailure {
  return new FetchFailure(
    "address",
    "The address leads into a private network, which nothing is fetched from.",
  );
}

/** The host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
