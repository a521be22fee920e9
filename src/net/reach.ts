import { isIP } from "node:net";
import { isPublic } from "./addresses.ts";
import { hostOf, PRIVATE_NAMES } from "./destination.ts";

/** Top-level names that the public DNS doesn't have: reserved ones, and those that home and office networks use. */
const UNDELEGATED = ["test", "invalid", "lan", "home", "corp", "intranet", "private"];

/** Whether a host, by the way it is written, could be reached from any network. Looks nothing up. */
export function isReachableAnywhere(url: URL): boolean {
  const host = hostOf(url).replace(/\.+$/, "");
  if (isIP(host) !== 0) return isPublic(host);
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  return labels.length > 1 && !PRIVATE_NAMES.includes(top) && !UNDELEGATED.includes(top);
}
