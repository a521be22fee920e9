import type { FastifyReply, FastifyRequest } from "fastify";
import type { Waiter } from "../fair-queue.ts";
import { caller } from "./auth.ts";

/** Longer than a burst of writes, shorter than clients wait. */
const MAX_WAIT_MS = 25_000;

export function requestSignal({ raw }: FastifyReply, maxWaitMs = MAX_WAIT_MS): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), maxWaitMs);
  raw.once("close", () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

export function waiterOf(request: FastifyRequest, reply: FastifyReply): Waiter {
  return { key: caller(request).id, signal: requestSignal(reply) };
}
