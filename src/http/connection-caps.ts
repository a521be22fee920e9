import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";
import { networkOf } from "../limits/addresses.ts";
import type { App } from "./app-type.ts";

type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress" | "trustProxy">;

const WARN_EVERY_MS = 60_000;

/** Closes connections over the caps unread. Trusted proxies count only in the total. */
export function capConnections(
  app: App,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: Caps,
): void {
  const { server } = app;
  const isProxy = trustedProxies(trustProxy);
  const open = new Map<string, number>();
  let warnedAt = -Infinity;

  function warn(message: string): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    app.log.warn(`${message}; said once a minute`);
  }

  server.maxConnections = maxConnections;
  server.on("drop", () => warn(`refused a connection: ${maxConnections} are open (MAX_CONNECTIONS)`));
  server.on("connection", (socket: Socket) => {
    const address = withoutZone(socket.remoteAddress ?? "");
    if (isProxy?.(address, 0)) return;
    const client = networkOf(address);
    const count = (open.get(client) ?? 0) + 1;
    open.set(client, count);
    socket.once("close", () => {
      const left = (open.get(client) ?? 0) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
    if (count <= maxConnectionsPerAddress) return;
    // After a plain close some clients (undici) would wait for an answer.
    socket.resetAndDestroy();
    const limit = `${maxConnectionsPerAddress} are open (MAX_CONNECTIONS_PER_ADDRESS)`;
    warn(`refused a connection from ${address}, from where ${limit}`);
  });
}

const withoutZone = (address: string) => address.replace(/%.*/, "");

/** Whether an address is a proxy of the operator; undefined without any. */
export type TrustedProxies = ((address: string, hop: number) => boolean) | undefined;

export function trustedProxies(ranges: string[]): TrustedProxies {
  return ranges.length === 0 ? undefined : proxyAddr.compile(ranges);
}

/** As Fastify's `request.ip`. */
export function addressReader(proxies: TrustedProxies): (request: IncomingMessage) => string | undefined {
  if (proxies === undefined) return ({ socket }) => socket.remoteAddress;
  return (request) => (request.socket.remoteAddress === undefined ? undefined : proxyAddr(request, proxies));
}
