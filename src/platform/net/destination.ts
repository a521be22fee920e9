import { BlockList, isIP } from "node:net";
import { parseUrl } from "../text/urls.ts";
import { FetchFailure } from "./failure.ts";

/** IANA's special-purpose blocks, multicast, and the address of Azure's platform, which no registry has. */
const SPECIAL_V4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`;

/** Blocks within 2000::/3 that aren't the public internet. */
const SPECIAL_V6 = "2001::/23 2001:db8::/32 2620:4f:8000::/48 3fff::/20";

/** IPv6 is public only here. The last two contain IPv4 addresses. */
const POSSIBLE_V6 = "2000::/3 64:ff9b::/96 ::ffff:0:0/96";

const refused = new BlockList();
const possible = new BlockList();

for (const [network, bits] of blocks(SPECIAL_V4)) {
  refused.addSubnet(network, bits, "ipv4");
  refused.addSubnet(`::ffff:${network}`, 96 + bits, "ipv6");
  refused.addSubnet(`64:ff9b::${network}`, 96 + bits, "ipv6");
  refused.addSubnet(`2002:${asGroups(network)}::`, 16 + bits, "ipv6");
}
for (const [network, bits] of blocks(SPECIAL_V6)) refused.addSubnet(network, bits, "ipv6");
for (const [network, bits] of blocks(POSSIBLE_V6)) possible.addSubnet(network, bits, "ipv6");

/** False for other texts and zones. */
export function isPublic(address: string): boolean {
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !refused.check(address, "ipv4");
  return family === 6 && possible.check(address, "ipv6") && !refused.check(address, "ipv6");
}

function blocks(list: string): [network: string, bits: number][] {
  return list
    .trim()
    .split(/\s+/)
    .map((block) => {
      const [network = "", bits] = block.split("/");
      return [network, Number(bits)];
    });
}

function asGroups(address: string): string {
  const hex = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
}

export interface Policy {
  /** Development may use http, any address and any port. */
  allowPrivateNetwork: boolean;
  /** Ports that requests may use beside 80 and 443. */
  outboundPorts: readonly number[];
}

/** This computer or its network, whatever they resolve to. */
const PRIVATE_NAMES = ["localhost", "localdomain", "internal", "local", "arpa"];

/** Checks an address by its text; resolved addresses are checked when connecting. @throws FetchFailure */
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
