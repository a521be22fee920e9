import { BlockList, isIPv6, type Socket } from "node:net";
import type { Config } from "../config.ts";
import { networkOf } from "../limits/addresses.ts";
import type { App } from "./app-type.ts";

type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress" | "trustProxy">;

/** A flood of connections must not become a flood of log lines. */
const WARN_EVERY_MS = 60_000;

/** Closes connections beyond the caps before anything of them is read. Trusted proxies count in all only. */
export function capConnections(
  app: App,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: Caps,
): void {
  const { server } = app;
  const isProxy = matcherOf(trustProxy);
  const open = new Map<string, number>();
  let warnedAt = -Infinity;

  function warn(message: string): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    app.log.warn(`${message}; said once a minute`);
  }

  function release(client: string): void {
    const left = (open.get(client) ?? 0) - 1;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  }

  server.maxConnections = maxConnections;
  server.on("drop", () => warn(`refused a connection: ${maxConnections} are open (MAX_CONNECTIONS)`));
  server.on("connection", (socket: Socket) => {
    const address = withoutZone(socket.remoteAddress ?? "");
    if (isProxy(address)) return;
    const client = networkOf(address);
    const count = (open.get(client) ?? 0) + 1;
    open.set(client, count);
    socket.once("close", () => release(client));
    if (count <= maxConnectionsPerAddress) return;
    // A plain close would let some clients (undici) wait for an answer.
    socket.resetAndDestroy();
    const limit = `${maxConnectionsPerAddress} are open (MAX_CONNECTIONS_PER_ADDRESS)`;
    warn(`refused a connection from ${address}, from where ${limit}`);
  });
}

function matcherOf(ranges: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    const address = withoutZone(network);
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (address) => address !== "" && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

const withoutZone = (address: string) => address.replace(/%.*/, "");
