import { type Actor, type Author, operator, type User } from "../src/actor.ts";
import type { Db } from "../src/db/connect.ts";
import type { Renderer } from "../src/text/render-pool.ts";

interface Options {
  now?: Date;
  /** Limits don't hold when left out. */
  isLimited?: boolean;
  run?: Actor["run"];
}

/** A user who acts without HTTP. */
function actorOf(
  db: Db,
  { id, role = "member" }: { id: number; role?: string },
  { now, ...options }: Options = {},
): Actor {
  return {
    ...operator(db, () => now ?? new Date()),
    by: "key",
    user: { id, role: role as User["role"] },
    ...options,
  };
}

/** A user who writes texts without HTTP. */
export function authorOf(
  db: Db,
  user: { id: number; role?: string },
  { renderer, ...options }: Options & { renderer: Renderer },
): Author {
  return { ...actorOf(db, user, options), renderer };
}
