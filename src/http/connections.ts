import type { IncomingMessage } from "node:http";
import { Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
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

/** Longer than the pauses of a busy client, and a fraction of what supervisors allow. */
const GRACE_MS = 2_000;

const ACCEPTING_MS = 3_000;

/**
 * Closes a server without resetting clients that are about to send: it stops listening, announces in every answer
 * that it is the last, and then closes idle connections.
 */
export async function closeServer(app: App): Promise<void> {
  await acceptWaiting(app.server);
  void stopListening(app.server);
  await app.close();
}

/** The signal of a server that closes. */
export function closingSignal(app: App): AbortSignal {
  const open = new Set<Socket>();
  const closing = new AbortController();
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  app.addHook("preClose", async () => {
    closing.abort();
    // For an answer whose head is already sent.
    app.server.keepAliveTimeout = GRACE_MS;
    await Promise.race([stopListening(app.server), sleep(GRACE_MS, undefined, { ref: false })]);
    // Node doesn't count a connection without any data as idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  return closing.signal;
}

/** Node accepts one connection per turn; the system resets the waiting ones when listening stops. */
async function acceptWaiting(server: Server): Promise<void> {
  const deadline = performance.now() + ACCEPTING_MS;
  let isWaiting = true;
  const note = () => void (isWaiting = true);
  server.on("connection", note);
  while (isWaiting && performance.now() < deadline) {
    isWaiting = false;
    await nextTurn();
    await nextTurn();
  }
  server.off("connection", note);
}

/** An HTTP server's own `close` closes idle connections at once. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));
}
