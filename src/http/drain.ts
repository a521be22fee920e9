import type { IncomingMessage, ServerResponse } from "node:http";
import { announcesBody } from "./json-body.ts";

/** Several times the largest body that is accepted, so that nearly every client is read to the end. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Five seconds in which the server runs: however long it stalls, that is one tick. */
const TICK_MS = 250;
const MAX_TICKS = 20;

/**
 * Answers, and reads and drops what is left of the body, within bounds. Closing the connection at once would
 * reset it while the client writes, and most clients then never see the answer.
 */
export function drain(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  if (request.complete || request.destroyed || !announcesBody(request)) return answer();
  // Node closes the connection right after its last answer, so that one waits for the body.
  if (!response.shouldKeepAlive) return discard(request, { atEnd: answer, beyond: answer });
  discard(request, { atEnd: () => {}, beyond: () => void request.destroy() });
  answer();
}

/** Reads a body and calls one of the two, once. */
function discard(request: IncomingMessage, { atEnd, beyond }: Record<"atEnd" | "beyond", () => void>): void {
  let bytes = 0;
  let ticks = 0;
  let isOver = false;
  const end = (action: () => void) => {
    if (isOver) return;
    isOver = true;
    clearInterval(clock);
    action();
  };
  const clock = setInterval(() => {
    if (++ticks > MAX_TICKS) end(beyond);
  }, TICK_MS);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) end(beyond);
  });
  request.once("end", () => end(atEnd)).once("close", () => end(atEnd));
}
