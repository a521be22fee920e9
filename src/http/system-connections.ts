import { existsSync, readFileSync } from "node:fs";

/** Own and other addresses, states and queues, in hexadecimal; none where the system doesn't show its connections. */
export function systemConnections(): string[][] {
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "latin1").split("\n"))
    .map((line) => line.trim().split(/\s+/));
}

/** A port, as `systemConnections` shows it. */
export const hexOf = (port = 0) => port.toString(16).toUpperCase().padStart(4, "0");
