import type { Db } from "../db/connect.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import { idIn } from "../fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import * as queries from "./queries.ts";
import type { Scope } from "./queries.ts";

export interface Wish {
  callerId: number;
  organization?: string | undefined;
  article?: string | undefined;
}

export async function findOwner(db: Db, { callerId, organization }: Wish): Promise<Scope["owner"]> {
  if (organization === undefined) return { kind: "user", id: callerId };
  const id = idIn(organization);
  if (id === undefined || !(await organizations.exists(db, id))) throw notFound();
  if (!(await organizations.isMember(db, { userId: callerId, organizationId: id }))) throw unauthorized();
  return { kind: "organization", id };
}

/** The owner's figures, or those of the article that the request names. */
export async function narrow(db: Db, owner: Scope["owner"], { article }: Wish): Promise<Scope> {
  if (article === undefined) return { owner, articleId: undefined };
  const articleId = idIn(article);
  const owners = articleId === undefined ? undefined : await queries.findOwners(db, articleId);
  const ownerId = owner.kind === "user" ? owners?.author_id : owners?.organization_id;
  if (articleId === undefined || ownerId !== owner.id) throw invalid("You can't view this article's stats");
  return { owner, articleId };
}
