import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { type Processes, webProcesses } from "../config/connections.ts";
import { networkOf } from "../limits/addresses.ts";
import type { App } from "./app-type.ts";
import { hexOf, systemConnections } from "./system-connections.ts";
import { trustedProxies } from "./proxies.ts";

type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress" | "trustProxy"> &
  Pick<Processes, "role" | "workers">;

const WARN_EVERY_MS = 60_000;

/** A client that reads nothing is disconnected after 30 to 35 seconds. */
const SWEEP_MS = 5_000;
const SILENT_SWEEPS = 6;

/** An address may hold fewer connections when they get scarce. */
const SCARCE_SHARE = 0.8;
const PER_ADDRESS_WHEN_SCARCE = 50;

/**
 * Closes connections over the caps unread. When all are taken, the longest idle one gives way to a new one. Trusted
 * proxies count only in the total. Of several workers each has an equal share of the caps, as it gets of connections.
 */
export function capConnections(app: App, open: Open, { trustProxy, ...caps }: Caps): void {
  const shareOf = (cap: number) => Math.ceil(cap / webProcesses(caps));
  const maxConnections = shareOf(caps.maxConnections);
  const maxPerAddress = shareOf(caps.maxConnectionsPerAddress);
  const maxWhenScarce = Math.min(shareOf(PER_ADDRESS_WHEN_SCARCE), maxPerAddress);
  const isProxy = trustedProxies(trustProxy);
  const perClient = new Map<string, number>();
  const warn = warnings(app);

  function allowed(): number {
    return open.size > SCARCE_SHARE * maxConnections ? maxWhenScarce : maxPerAddress;
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
export type Open = Map<Socket, ServerResponse | undefined>;

export function trackActivity(app: App): Open {
  const { server } = app;
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
function endsUnread(open: Open): () => void {
  const silences = new WeakMap<Socket, { taken: number; sweeps: number }>();
  return () => {
    if (open.size === 0) return;
    const sent = unacknowledged();
    for (const socket of open.keys()) {
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
