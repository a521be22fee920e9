import type { FastifyReply } from "fastify";

/** Several times the largest body that is taken, so that nearly everybody is read to the end. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MS = 5_000;
/** Who sends nothing for so long has heard the answer, and waits for the end of the connection. */
const MAX_SILENCE_MS = 2_500;

/**
 * Reads the rest of a body that was refused, and forgets it. To close the connection instead would break
 * it while the client writes, and most clients then never see the answer. Who goes on and on is cut off.
 */
export function drain(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (raw.complete) return;
  // Whoever wants the connection closed after the answer has that when the body is at its end.
  const isLast = !reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  reply.removeHeader("connection");
  const cutOff = () => void raw.destroy();
  const timers = [setTimeout(cutOff, MAX_MS), setTimeout(cutOff, MAX_SILENCE_MS)] as const;
  let left = MAX_BYTES;
  raw.on("data", (chunk: Buffer) => {
    timers[1].refresh();
    left -= chunk.length;
    if (left < 0) cutOff();
  });
  raw.once("close", () => timers.forEach(clearTimeout));
  if (isLast) raw.once("end", () => afterAnswer(reply, () => raw.socket.end()));
}

function afterAnswer({ raw }: FastifyReply, action: () => void): void {
  if (raw.writableFinished) action();
  else raw.once("finish", action);
}
