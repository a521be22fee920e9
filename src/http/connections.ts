import { existsSync, readFileSync } from "node:fs";
import { connect, Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Config } from "../platform/config.ts";
import { type Processes, webProcesses } from "../platform/config/connections.ts";
import type { App } from "./app-type.ts";

/** Longer than the pauses of a busy client, and a fraction of what supervisors allow. */
const GRACE_MS = 2_000;

const ACCEPTING_MS = 10_000;

/** What listens, for which Node has no public function. */
interface Handle {
  listen: (backlog: number) => number;
}

/**
 * Closes a server without resetting clients that are about to send: it stops listening, announces in every answer
 * that it is the last, and then closes idle connections.
 */
export async function closeServer(app: App): Promise<void> {
  await stopAccepting(app.server);
  await app.close();
}

export function closingSignal(app: App, open: Set<Socket>): AbortSignal {
  const closing = new AbortController();
  app.addHook("preClose", async () => {
    closing.abort();
    // The connection of an answer whose head is already sent stays open this long.
    app.server.keepAliveTimeout = GRACE_MS;
    await Promise.race([stopListening(app.server), sleep(GRACE_MS, undefined, { ref: false })]);
    // Timers run before arrived requests are read, which must not find their connection closed.
    await nextTurn();
    // Node doesn't count a connection without any data as idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  return closing.signal;
}

/**
 * The system resets connections that wait to be accepted when listening stops. So the queue is made as short as can be,
 * one connection, and listening stops when the server's own is the one in it: other clients are sent away before they
 * connect, and find later that nothing listens. Where the system doesn't show its connections, some may be reset.
 */
async function stopAccepting(server: Server): Promise<void> {
  const deadline = performance.now() + ACCEPTING_MS;
  const address = server.address();
  const { _handle: handle } = server as { _handle?: Handle };
  // Sets the length of the queue.
  handle?.listen(0);
  for (let isFilled = false; server.listening && !isFilled;) {
    // The server accepts the connections of this turn.
    await nextTurn();
    const own = connectTo(address);
    // Node connects after this, and waits for events after that.
    await nextTick();
    isFilled = own === undefined || performance.now() > deadline || isAloneInQueue(own);
    if (isFilled) void stopListening(server);
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

function isAloneInQueue({ localPort, remotePort }: Socket): boolean {
  const connections = systemConnections();
  if (connections.length === 0) return true;
  return (
    connections.some(([, from, , state]) => state === ESTABLISHED && hasPort(from, localPort)) &&
    !connections.some(([, from, , state]) => state === BEING_ESTABLISHED && hasPort(from, remotePort))
  );
}

const hasPort = (address: string | undefined, port: number | undefined) =>
  port !== undefined && address?.endsWith(`:${hexOf(port)}`) === true;

/** An HTTP server's own `close` closes idle connections at once. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));
}

/** Own and other addresses, states and queues, in hexadecimal; none where the system doesn't show its connections. */
export function systemConnections(): string[][] {
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "latin1").split("\n"))
    .map((line) => line.trim().split(/\s+/));
}

export const hexOf = (port = 0) => port.toString(16).toUpperCase().padStart(4, "0");

const WARN_EVERY_MS = 60_000;

/** A client that reads nothing is disconnected after 30 to 35 seconds. */
const SWEEP_MS = 5_000;
const SILENT_SWEEPS = 6;

/**
 * Tracks the open connections, and resets new ones over the cap unread. Of several workers each has an equal share of
 * the cap. Node's own `maxConnections` would hand a refused connection from one full worker to the next without end.
 */
export function trackConnections(
  app: App,
  caps: Pick<Config, "maxConnections"> & Pick<Processes, "role" | "workers">,
): Set<Socket> {
  const most = Math.ceil(caps.maxConnections / webProcesses(caps));
  const open = new Set<Socket>();
  let warnedAt = -Infinity;
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (open.size <= most) return;
    // Some clients (undici) would wait for a response after a plain close.
    socket.resetAndDestroy();
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    app.log.warn(`closed a new connection: ${most} are open (MAX_CONNECTIONS); said once a minute`);
  });
  const sweeping = setInterval(endsUnread(open), SWEEP_MS).unref();
  app.addHook("onClose", async () => clearInterval(sweeping));
  return open;
}

/** What Node counts of a connection, for which it has no public function. */
const NOTHING = { bytesWritten: 0, writeQueueSize: 0 };

/**
 * Returns a sweep that resets connections whose client has taken none of the waiting bytes in six sweeps. What it sends
 * meanwhile doesn't count. While nothing waits, the server still works on the answer.
 */
function endsUnread(open: Set<Socket>): () => void {
  const silences = new WeakMap<Socket, { taken: number; sweeps: number }>();
  return () => {
    if (open.size === 0) return;
    const sent = unacknowledged();
    for (const socket of open) {
      const { _handle: { bytesWritten, writeQueueSize } = NOTHING } = socket as { _handle?: typeof NOTHING };
      const inSystem = sent.get(hexOf(socket.localPort) + hexOf(socket.remotePort)) ?? 0;
      const isWaiting = socket.writableLength + inSystem > 0;
      const taken = isWaiting ? bytesWritten - writeQueueSize - inSystem : NaN;
      const before = silences.get(socket);
      const sweeps = before?.taken === taken ? before.sweeps + 1 : 0;
      silences.set(socket, { taken, sweeps });
      if (sweeps === SILENT_SWEEPS) socket.resetAndDestroy();
    }
  };
}

/** The bytes that the system holds for a client, by both ports: the least of clients that have the same port. */
function unacknowledged(): Map<string, number> {
  const sent = new Map<string, number>();
  for (const [, from = "", to = "", , queues = ""] of systemConnections()) {
    const ports = from.slice(-4) + to.slice(-4);
    sent.set(ports, Math.min(sent.get(ports) ?? Infinity, Number.parseInt(queues, 16)));
  }
  return sent;
}
