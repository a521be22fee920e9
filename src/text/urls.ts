import { BlockList, isIP } from "node:net";
import { invalid } from "../errors.ts";
import { isWellFormed } from "./fold.ts";
import { parseUrl } from "./parse-url.ts";

/** Canonical addresses stand in a unique index, whose entries PostgreSQL bounds at about 2,700 bytes. */
const MAX_CANONICAL_BYTES = 2000;

/** Networks whose addresses lead nowhere, or elsewhere for every reader (IANA's special-purpose registries). */
const UNREACHABLE_NETWORKS = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 128],
  ["::1", 128],
  ["100::", 64],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const;

const UNREACHABLE = new BlockList();
for (const [network, prefix] of UNREACHABLE_NETWORKS) {
  UNREACHABLE.addSubnet(network, prefix, isIP(network) === 6 ? "ipv6" : "ipv4");
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

/** Refuses a canonical_url that readers elsewhere could not follow. Empty is no canonical_url, and allowed. */
export function checkCanonicalUrl(text: string): void {
  if (text === "") return;
  if (!isHttpUrl(text)) {
    throw invalid(
      "Canonical url must be a full http or https address without spaces, such as https://example.com/post",
    );
  }
  if (Buffer.byteLength(text) > MAX_CANONICAL_BYTES) {
    throw invalid(`Canonical url is too long (maximum is ${MAX_CANONICAL_BYTES} bytes)`);
  }
  const host = new URL(text).hostname;
  if (isLocalHost(host)) {
    throw invalid(
      `Canonical url must not be on a local host (${host}): give an address that readers can open`,
    );
  }
}

function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const version = isIP(host);
  if (version !== 0) return UNREACHABLE.check(host, version === 6 ? "ipv6" : "ipv4");
  return /(^|\.)(localhost|local|localdomain)$/.test(host);
}
