import type { Db } from "../db/connect.ts";
import { notFound } from "../errors.ts";
import * as queries from "./queries.ts";

export { listOrganizations, listUsers } from "./queries.ts";

/** @throws AppError not_found */
export async function showUser(db: Db, id: number) {
  const user = await queries.findUser(db, id);
  if (!user) throw notFound();
  return { ...user, organizations: await queries.membershipsOf(db, id) };
}
