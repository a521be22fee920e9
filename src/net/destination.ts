import { isIP } from "node:net";
import { isPublic } from "./addresses.ts";
import { FetchFailure } from "./failure.ts";

/** What may be reached. */
export interface Policy {
  /** Development and tests: http where https is asked for, every address, every port. */
  allowPrivateNetwork: boolean;
  /** Beside 80 and 443. */
  outboundPorts: readonly number[];
}

/** Names that stand for this computer or its network, whatever they resolve to. */
const PRIVATE_NAMES = ["localhost", "internal", "local"];

/**
 * What can be refused before anything is looked up. Addresses behind names are judged when connecting.
 * @throws FetchFailure
 */
export function judge(text: string, policy: Policy, { httpsOnly = false } = {}): URL {
  if (!URL.canParse(text)) throw new FetchFailure("url", "This is no web address.");
  const url = new URL(text);
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
  if (!policy.allowPrivateNetwork) judgeHost(url, policy);
  return url;
}

function judgeHost(url: URL, { outboundPorts }: Policy): void {
  const host = hostOf(url);
  const labels = host.replace(/\.+$/, "").split(".");
  if (PRIVATE_NAMES.includes(labels.at(-1) ?? "")) throw privateAddress(host);
  if (isIP(host) !== 0 && !isPublic(host)) throw privateAddress(host);
  if (url.port !== "" && ![80, 443, ...outboundPorts].includes(Number(url.port))) {
    throw new FetchFailure("url", `Port ${url.port} isn't fetched from: it must be 80 or 443.`);
  }
}

export function privateAddress(host: string): FetchFailure {
  return new FetchFailure("address", `${host} is in a private network, which nothing is fetched from.`);
}

/** The host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
