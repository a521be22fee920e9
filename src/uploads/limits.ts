import type { FastifyReply, FastifyRequest } from "fastify";
import { unavailable } from "../errors.ts";
import { caller } from "../http/auth.ts";

/** Bodies that are in memory at once. */
export const MAX_BODIES = 32;
const MAX_BODIES_OF_USER = 16;

/**
 * Limits how many images are received and handled at once, in all and by one person, because each
 * takes two to three times its size in memory: what has come of it, all of it in one piece, and the
 * image in it, which stays until it is answered. So all together take up to 1 GB.
 */
export function createUploadAdmission() {
  const byUser = new Map<number, number>();
  let total = 0;

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = caller(request);
    const own = byUser.get(id) ?? 0;
    if (total >= MAX_BODIES || own >= MAX_BODIES_OF_USER) throw unavailable();
    total += 1;
    byUser.set(id, own + 1);
    // Also comes when the client breaks off.
    reply.raw.once("close", () => {
      total -= 1;
      const left = (byUser.get(id) ?? 1) - 1;
      if (left > 0) byUser.set(id, left);
      else byUser.delete(id);
    });
  };
}
