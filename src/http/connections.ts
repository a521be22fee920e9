import { connect, Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { App } from "./app-type.ts";
import { hexOf, systemConnections } from "./system-connections.ts";

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

/** The signal of a server that closes. */
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

/** Whether no other connection waits. */
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
