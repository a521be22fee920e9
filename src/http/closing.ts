import { Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app-type.ts";

/** Longer than a busy client pauses between two requests, and a small part of the time that supervisors allow. */
const GRACE_MS = 2_000;

/** For as long as a flood of new connections is accepted before the server stops listening. */
const ACCEPTING_MS = 3_000;

/**
 * Closes a server without resetting a client that is about to send. It stops listening, every answer from then on
 * announces that it is the last of its connection, and connections that stay idle are closed after that.
 */
export async function closeServer(app: App): Promise<void> {
  await acceptWaiting(app.server);
  void stopListening(app.server);
  await app.close();
}

/** Makes the answers of a server that closes say so, and idle connections wait for their next request. */
export function announceClosing(app: App): void {
  const open = new Set<Socket>();
  let isClosing = false;
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing) reply.raw.shouldKeepAlive = false;
    done();
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    // For an answer whose head was on its way already.
    app.server.keepAliveTimeout = GRACE_MS;
    await Promise.race([stopListening(app.server), sleep(GRACE_MS, undefined, { ref: false })]);
    // To Node, a connection on which nothing has come yet isn't idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

/** Node accepts one connection per turn of its loop; the system resets those that wait when it stops listening. */
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

/** An HTTP server's own `close` closes idle connections at once. Fulfilled when all connections are closed. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));
}
