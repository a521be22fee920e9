import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { networkOf } from "../limits/addresses.ts";
import { countConnections, type Excess } from "../limits/connections.ts";
import type { App } from "./app-type.ts";
import { trustedProxies } from "./proxies.ts";

export type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress" | "trustProxy">;

const WARN_EVERY_MS = 60_000;

/**
 * Closes connections over the caps unread. When all are taken, the longest idle one gives way to a new one. Trusted
 * proxies count only in the total.
 */
export function capConnections(app: App, caps: Caps): Open {
  const open = trackActivity(app);
  const counts = countConnections(caps);
  const clientOf = clientReader(caps);
  const close = createCloser(app);

  app.server.on("connection", (socket: Socket) => {
    const client = clientOf(socket);
    const excess = counts.open(client);
    socket.once("close", () => counts.close(client));
    if (excess === undefined) return;
    const [idle] = excess.cap === "MAX_CONNECTIONS" ? idleIn(open, (other) => other === socket) : [];
    if (idle) close.idle(idle, excess.allowed);
    else close.refused(socket, excess);
  });
  return open;
}

/** Reads the client of a connection; undefined for a trusted proxy. */
export function clientReader({ trustProxy }: Caps): (socket: Socket) => string | undefined {
  const isProxy = trustedProxies(trustProxy);
  return (socket) => {
    const address = addressOf(socket);
    return isProxy?.(address, 0) ? undefined : networkOf(address);
  };
}

/** Closes connections with a reset, because some clients (undici) would wait for a response after a plain close. */
export function createCloser(app: App) {
  const warn = warnings(app);
  return {
    idle(socket: Socket, allowed: number): void {
      socket.resetAndDestroy();
      warn(`closed an idle connection: ${allowed} are open (MAX_CONNECTIONS)`);
    },
    refused(socket: Socket, { cap, allowed }: Excess): void {
      const address = addressOf(socket);
      socket.resetAndDestroy();
      warn(
        cap === "MAX_CONNECTIONS"
          ? `closed a new connection: ${allowed} are open (${cap})`
          : `refused a connection from ${address}, from where ${allowed} are open (${cap})`,
      );
    },
  };
}

/** The open connections with their running response, the longest inactive first. */
export type Open = Map<Socket, ServerResponse | undefined>;

/** @param since gets the time of each connection's last activity */
export function trackActivity({ server }: App, since?: WeakMap<Socket, number>): Open {
  const open: Open = new Map();
  const note = (socket: Socket, response?: ServerResponse) => {
    if (socket.destroyed) return;
    open.delete(socket);
    open.set(socket, response);
    since?.set(socket, performance.now());
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

/** The idle connections, the longest idle first. A client that does not read its finished response counts as idle. */
export function* idleIn(open: Open, isNew: (socket: Socket) => boolean): Iterable<Socket> {
  for (const [socket, response] of open)
    if (!isNew(socket) && !socket.destroyed && response?.writableEnded !== false) yield socket;
}

function warnings(app: App): (message: string) => void {
  let warnedAt = -Infinity;
  return (message) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    app.log.warn(`${message}; said once a minute`);
  };
}

/** Without its zone. */
const addressOf = ({ remoteAddress = "" }: Socket) => remoteAddress.replace(/%.*/, "");
