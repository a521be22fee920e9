import { Server, type Socket } from "node:net";
import { setImmediate as afterPolling, setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app-type.ts";

/** Longer than a busy client pauses between two requests, and a small part of the time that supervisors allow. */
const GRACE_MS = 2_000;

/**
 * Lets the server close without resetting a client that is about to send. It stops listening, and every answer
 * from then on announces that it is the last of its connection. Connections that still are idle after that are closed.
 */
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
    // Connections that wait to be accepted would be reset.
    await afterPolling();
    // An HTTP server's own `close`, which Fastify calls afterwards, closes idle connections at once.
    const closed = new Promise((resolve) => void Server.prototype.close.call(app.server, resolve));
    await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
    // To Node, a connection on which nothing has come yet isn't idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
