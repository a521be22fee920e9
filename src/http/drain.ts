import type { IncomingMessage, ServerResponse } from "node:http";
import { announcesBody } from "./json-body.ts";

/** Several times the largest accepted body. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Ticks don't count a stalled server. */
const TICK_MS = 250;
const MAX_TICKS = 20;

/**
 * Answers, and reads and drops the rest of the body, within bounds. Closing the connection at once would reset it
 * while the client writes, and most clients would not see the answer.
 */
export function drain(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  if (request.complete || request.destroyed || !announcesBody(request)) return answer();
  // Node closes the connection after its last answer, so that one waits for the body.
  if (!response.shouldKeepAlive) return discard(request, { atEnd: answer, beyond: answer });
  discard(request, { atEnd: () => {}, beyond: () => void request.destroy() });
  answer();
}

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
