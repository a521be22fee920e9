import type { Db } from "../db/connect.ts";
import { unauthorized } from "../errors.ts";
import type { Role } from "../users/users.ts";
import * as queries from "./queries.ts";

/** Who does something to an organization: whoever runs the site's commands, or a person. */
export type Actor = "operator" | { id: number; role: Role };

/**
 * Lets those go on who may change an organization: its admins, the site's, and the operator.
 * @throws AppError unauthorized
 */
export async function requireAdmin(db: Db, organizationId: number, by: Actor): Promise<void> {
  if (by === "operator" || by.role === "admin") return;
  const role = await queries.findRole(db, { userId: by.id, organizationId });
  if (role !== "admin") throw unauthorized();
}
