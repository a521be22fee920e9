import type { FastifyReply, FastifyRequest } from "fastify";
import type { Place } from "../turns.ts";
import { caller } from "./auth.ts";

/** Longer than a burst of writes takes, shorter than clients wait. */
const PATIENCE_MS = 25_000;

/** Tells whoever waits on behalf of a request when it has waited too long, or nobody is there to be answered. */
export function patienceOf({ raw }: FastifyReply, patienceMs = PATIENCE_MS): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), patienceMs);
  raw.once("close", () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

/** Where a request waits for its turn, from now on. */
export function placeOf(request: FastifyRequest, reply: FastifyReply): Place {
  return { lane: caller(request).id, signal: patienceOf(reply) };
}
