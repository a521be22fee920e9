import { Server, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app-type.ts";

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
    // For an answer whose head is already sent.
    app.server.keepAliveTimeout = GRACE_MS;
    await Promise.race([stopListening(app.server), sleep(GRACE_MS, undefined, { ref: false })]);
    // Node doesn't count a connection without any data as idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
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
