import { BlockList, isIP } from "node:net";
import { invalid } from "../errors.ts";
import { isWellFormed } from "./fold.ts";

/** Canonical addresses stand in a unique index, whose entries PostgreSQL bounds at about 2,700 bytes. */
const MAX_CANONICAL_BYTES = 2000;

const LOCAL_ADDRESSES = new BlockList();
LOCAL_ADDRESSES.addSubnet("0.0.0.0", 8, "ipv4");
LOCAL_ADDRESSES.addSubnet("127.0.0.0", 8, "ipv4");
LOCAL_ADDRESSES.addSubnet("169.254.0.0", 16, "ipv4");
LOCAL_ADDRESSES.addAddress("::", "ipv6");
LOCAL_ADDRESSES.addAddress("::1", "ipv6");
LOCAL_ADDRESSES.addSubnet("fe80::", 10, "ipv6");

/**
 * Whether the text is a full http or https address as a person would write it. Stricter than URL, which
 * repairs backslashes, missing slashes, line breaks and blanks that browsers and other readers take otherwise.
 */
export function isHttpUrl(text: string): boolean {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes("@")) return false;
  return !/[\p{Z}\p{Cc}\p{Cf}\\<>"]/u.test(text) && isWellFormed(text) && URL.canParse(text);
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
  if (version !== 0) return LOCAL_ADDRESSES.check(host, version === 6 ? "ipv6" : "ipv4");
  return /(^|\.)(localhost|local|localdomain)$/.test(host);
}
