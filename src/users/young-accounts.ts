import type { Db } from "../db/connect.ts";
import { createErrors } from "../fields/fields.ts";
import * as queries from "./queries.ts";

const YOUNG_DAYS = 3;
const MAX_LINKS = 3;

/** Whether a person registered so recently that limits of their own hold for them. */
export function isYoung(
  { origin, created_at }: Pick<queries.UserRow, "origin" | "created_at">,
  now: Date,
): boolean {
  return origin === "registration" && now.getTime() - created_at.getTime() < YOUNG_DAYS * 86_400_000;
}

interface Linked {
  userId: number;
  field: string;
  links: number;
}

/** @throws FieldsError for a text with many links of a member with a young account */
export async function checkLinks(tx: Db, { userId, field, links }: Linked, now: Date): Promise<void> {
  if (links <= MAX_LINKS) return;
  const author = await queries.findAccount(tx, userId);
  if (author === undefined || author.role !== "member" || !isYoung(author, now)) return;
  const errors = createErrors();
  errors.of(field)(
    `has ${links} links, but may have at most ${MAX_LINKS} links while an account is younger than ${YOUNG_DAYS} days`,
  );
  errors.throwIfAny();
}
