import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { type Processes, webProcesses } from "../config/connections.ts";
import type { App } from "./app-type.ts";
import { hexOf, systemConnections } from "./system-connections.ts";

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
