import type { Db } from "../db/connect.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { type Figures, NOTHING } from "./figures.ts";
import { daysOf } from "./periods.ts";
import * as queries from "./queries.ts";
import * as referrerQueries from "./referrer-queries.ts";
import type { Range, Scope } from "./scope.ts";

export type { ReferrerRow } from "./referrer-queries.ts";
export type { Scope } from "./scope.ts";

/** Whose figures a caller wants, as they say it. */
export interface Wish {
  callerId: number;
  organization?: string | undefined;
  article?: string | undefined;
}

/**
 * Whose figures these are: the caller's, or those of an organization that they belong to.
 * @throws AppError not_found, unauthorized
 */
export async function findOwner(db: Db, { callerId, organization }: Wish): Promise<Scope["owner"]> {
  if (organization === undefined) return { kind: "user", id: callerId };
  const id = idOf(organization);
  if (id === undefined || !(await organizations.exists(db, id))) throw notFound();
  if (!(await organizations.isMember(db, { userId: callerId, organizationId: id }))) throw unauthorized();
  return { kind: "organization", id };
}

/**
 * The same for one article, if the wish names one.
 * @throws AppError invalid when it isn't published or isn't theirs
 */
export async function narrow(db: Db, owner: Scope["owner"], { article }: Wish): Promise<Scope> {
  if (article === undefined) return { owner, articleId: undefined };
  const articleId = idOf(article);
  const owners = articleId === undefined ? undefined : await queries.findOwners(db, articleId);
  const ownerId = owner.kind === "user" ? owners?.author_id : owners?.organization_id;
  if (articleId === undefined || ownerId !== owner.id) throw invalid("You can't view this article's stats");
  return { owner, articleId };
}

const MAX_ID = 2_147_483_647;

function idOf(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID ? Number(text) : undefined;
}

export function totals(db: Db, scope: Scope): Promise<Figures> {
  return queries.totals(db, scope);
}

/** The figures of every day of a range, in order. */
export async function history(
  db: Db,
  scope: Scope,
  range: Range,
): Promise<[day: string, figures: Figures][]> {
  const rows = await queries.byDay(db, scope, range);
  const known = new Map(rows.map((row) => [row.day, row]));
  return daysOf(range).map((day) => [day, known.get(day) ?? NOTHING]);
}

const TOP = 20;

/** The hosts that most views came from, of a range of days or all time. */
export function referrers(
  db: Db,
  scope: Scope,
  range: Range | undefined,
): Promise<referrerQueries.ReferrerRow[]> {
  if (range === undefined) return referrerQueries.top(db, scope, TOP);
  return referrerQueries.topWithin(db, scope, { range, limit: TOP });
}
