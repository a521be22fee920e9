import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";
import { networkOf } from "../limits/addresses.ts";
import type { App } from "./app-type.ts";

type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress" | "trustProxy">;

const WARN_EVERY_MS = 60_000;

/** An address may hold fewer connections when they get scarce. */
const SCARCE_SHARE = 0.8;
const PER_ADDRESS_WHEN_SCARCE = 50;

/**
 * Closes connections over the caps unread. When all are taken, the longest idle one gives way to a new one. Trusted
 * proxies count only in the total.
 */
export function capConnections(
  app: App,
  open: Open,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: Caps,
): void {
  const isProxy = trustedProxies(trustProxy);
  const perClient = new Map<string, number>();
  const warn = warnings(app);

  function allowed(): number {
    const isScarce = open.size > SCARCE_SHARE * maxConnections;
    return isScarce ? Math.min(PER_ADDRESS_WHEN_SCARCE, maxConnectionsPerAddress) : maxConnectionsPerAddress;
  }

  app.server.on("connection", (socket: Socket) => {
    const address = withoutZone(socket.remoteAddress ?? "");
    if (!isProxy?.(address, 0) && count(perClient, socket, networkOf(address)) > allowed()) {
      // Some clients (undici) would wait for a response after a plain close.
      socket.resetAndDestroy();
      warn(
        `refused a connection from ${address}, from where ${allowed()} are open (MAX_CONNECTIONS_PER_ADDRESS)`,
      );
      return;
    }
    if (open.size <= maxConnections) return;
    const idle = longestIdle(open, socket);
    (idle ?? socket).resetAndDestroy();
    warn(`closed ${idle ? "an idle" : "a new"} connection: ${maxConnections} are open (MAX_CONNECTIONS)`);
  });
}

/** The open connections with their running response, the longest inactive first. */
type Open = Map<Socket, ServerResponse | undefined>;

export function trackActivity({ server }: App): Open {
  const open: Open = new Map();
  const note = (socket: Socket, response?: ServerResponse) => {
    if (socket.destroyed) return;
    open.delete(socket);
    open.set(socket, response);
  };
  server.on("connection", (socket: Socket) => {
    note(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    note(socket, response);
    response.once("close", () => note(socket));
    response.on("timeout", endUnread);
  });
  return open;
}

/**
 * Judges a connection on which nothing has moved for the server's timeout. A listener keeps Node from closing it: only
 * a client that doesn't read is to blame for the silence. While nothing waits to be read, the server still works on the
 * response, and the first byte of that starts the timer again.
 */
function endUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** A client that does not read its finished response counts as idle. */
function longestIdle(open: Open, except: Socket): Socket | undefined {
  for (const [socket, response] of open)
    if (socket !== except && !socket.destroyed && response?.writableEnded !== false) return socket;
  return undefined;
}

/** Counts a connection of a client while it is open. */
function count(perClient: Map<string, number>, socket: Socket, client: string): number {
  const now = (perClient.get(client) ?? 0) + 1;
  perClient.set(client, now);
  socket.once("close", () => {
    const left = (perClient.get(client) ?? 0) - 1;
    if (left > 0) perClient.set(client, left);
    else perClient.delete(client);
  });
  return now;
}

function warnings(app: App): (message: string) => void {
  let warnedAt = -Infinity;
  return (message) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    app.log.warn(`${message}; said once a minute`);
  };
}

const withoutZone = (address: string) => address.replace(/%.*/, "");

/** Whether an address is a proxy of the operator; undefined without any. */
export type TrustedProxies = ((address: string, hop: number) => boolean) | undefined;

export function trustedProxies(ranges: string[]): TrustedProxies {
  return ranges.length === 0 ? undefined : proxyAddr.compile(ranges);
}

/** Reads the client's address like Fastify's `request.ip`. */
export function addressReader(proxies: TrustedProxies): (request: IncomingMessage) => string | undefined {
  if (proxies === undefined) return ({ socket }) => socket.remoteAddress;
  return (request) => (request.socket.remoteAddress === undefined ? undefined : proxyAddr(request, proxies));
}

/** Longer than the pauses of a busy client, and a fraction of what supervisors allow. */
const GRACE_MS = 2_000;

const ACCEPTING_MS = 10_000;

/** What listens, for which Node has no public function. */
export interface Handle {
  listen: (backlog: number) => number;
  close: () => void;
}

export interface Listening {
  handle: Handle | undefined;
  address: ReturnType<Server["address"]>;
  isOpen: () => boolean;
  close: () => void;
}

export function handleOf(server: Server): Handle | undefined {
  const { _handle: handle } = server as { _handle?: Handle };
  return handle;
}

/**
 * Closes a server without resetting clients that are about to send: it stops listening, announces in every answer
 * that it is the last, and then closes idle connections.
 */
export async function closeServer(app: App): Promise<void> {
  const { server } = app;
  await stopAccepting({
    handle: handleOf(server),
    address: server.address(),
    isOpen: () => server.listening,
    close: () => void stopListening(server),
  });
  await app.close();
}

/** The signal of a server that closes. */
export function closingSignal(app: App, open: Open): AbortSignal {
  const closing = new AbortController();
  app.addHook("preClose", async () => {
    closing.abort();
    // The connection of an answer whose head is already sent stays open this long.
    app.server.keepAliveTimeout = GRACE_MS;
    await Promise.race([stopListening(app.server), sleep(GRACE_MS, undefined, { ref: false })]);
    // Timers run before arrived requests are read, which must not find their connection closed.
    await nextTurn();
    // Node doesn't count a connection without any data as idle.
    for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy();
  });
  return closing.signal;
}

/**
 * The system resets connections that wait to be accepted when listening stops. So the queue is made as short as can be,
 * one connection, and listening stops when the server's own is the one in it: other clients are sent away before they
 * connect, and find later that nothing listens. Where the system doesn't show its connections, some may be reset.
 */
export async function stopAccepting({ handle, address, isOpen, close }: Listening): Promise<void> {
  const deadline = performance.now() + ACCEPTING_MS;
  // Sets the length of the queue.
  handle?.listen(0);
  for (let isFilled = false; isOpen() && !isFilled;) {
    // The server accepts the connections of this turn.
    await nextTurn();
    const own = connectTo(address);
    // Node connects after this, and waits for events after that.
    await nextTick();
    isFilled = own === undefined || performance.now() > deadline || isAloneInQueue(own);
    if (isFilled) close();
    own?.destroy();
  }
}

const nextTick = promisify(process.nextTick) as () => Promise<void>;

function connectTo(address: ReturnType<Server["address"]>): Socket | undefined {
  if (address === null || typeof address === "string") return undefined;
  const host = address.address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  return connect({ host, port: address.port }).on("error", () => {});
}

const ESTABLISHED = "01";
const BEING_ESTABLISHED = "03";

/** Whether no other connection waits. The system lists numbers, own and other addresses and states in hexadecimal. */
function isAloneInQueue({ localPort, remotePort }: Socket): boolean {
  const lists = ["/proc/net/tcp", "/proc/net/tcp6"].filter((path) => existsSync(path));
  if (lists.length === 0) return true;
  const connections = lists.flatMap((path) =>
    readFileSync(path, "latin1")
      .split("\n")
      .map((line) => line.trim().split(/\s+/)),
  );
  return (
    connections.some(([, from, , state]) => state === ESTABLISHED && hasPort(from, localPort)) &&
    !connections.some(([, from, , state]) => state === BEING_ESTABLISHED && hasPort(from, remotePort))
  );
}

const hasPort = (address: string | undefined, port: number | undefined) =>
  port !== undefined && address?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`) === true;

/** An HTTP server's own `close` closes idle connections at once. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));
}
