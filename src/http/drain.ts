import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { announcesBody } from "./json-body.ts";

/** Several times the largest body that is accepted, so that nearly every client is read to the end. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Five seconds in which the server runs: however long it stalls, that is one tick. */
const TICK_MS = 250;
const MAX_TICKS = 20;

/** Before an answer to a request whose body hasn't been read: reads the rest of it, within bounds. */
export function drainUnread(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (raw.complete || raw.destroyed || !announcesBody(raw)) return;
  reply.removeHeader("connection");
  drain(raw, reply.raw);
}

/**
 * Reads what is left of a body and drops it. Closing the connection at once would reset it while the client
 * writes, and most clients then never see the answer. A client that goes beyond the bounds is cut off.
 */
export function drain(request: IncomingMessage, response: ServerResponse): void {
  // Node closes a connection right after its last answer, so it must not know that this is the last one.
  const isLast = !response.shouldKeepAlive;
  response.shouldKeepAlive = true;
  response.removeHeader("connection");
  let bytes = 0;
  let ticks = 0;
  const check = () => {
    if (bytes > MAX_BYTES || ticks > MAX_TICKS) request.destroy();
  };
  const clock = setInterval(() => {
    ticks++;
    check();
  }, TICK_MS);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    check();
  });
  request.once("close", () => clearInterval(clock));
  if (isLast) request.once("end", () => afterAnswer(response, () => request.socket.end()));
}

function afterAnswer(response: ServerResponse, action: () => void): void {
  if (response.writableFinished) action();
  else response.once("finish", action);
}
