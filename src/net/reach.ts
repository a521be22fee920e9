import { isIP } from "node:net";
import { isPublic } from "./addresses.ts";
import { hostOf, PRIVATE_NAMES } from "./destination.ts";

/** Reserved names, and those of home and office networks. */
const UNDELEGATED = ["test", "invalid", "lan", "home", "corp", "intranet", "private"];

/** By the host's text; looks nothing up. */
export function isReachableAnywhere(url: URL): boolean {
  const host = hostOf(url).replace(/\.+$/, "");
  if (isIP(host) !== 0) return isPublic(host);
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  return labels.length > 1 && !PRIVATE_NAMES.includes(top) && !UNDELEGATED.includes(top);
}
