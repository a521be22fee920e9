import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { anyInt, storable } from "../../platform/db/values.ts";
import { notFound } from "../../platform/errors.ts";
import type { Role } from "../users/users.ts";

const total = (query: RawBuilder<unknown>) => sql<number>`(select count(*)::int ${query})`;
const ARTICLES = total(sql`from articles where author_id = users.id and state <> 'deleted'`);

function findUser(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select(["id", "username", "name", "email", sql<Role>`role`.as("role"), "suspended", "created_at"])
    .select(["summary", "location", "website_url", "microblog_username", "codehost_username"])
    .select(ARTICLES.as("articles"))
    .select(total(sql`from comments where author_id = users.id and not deleted`).as("comments"))
    .select(total(sql`from follows where followed_user_id = users.id`).as("followers"))
    .select(total(sql`from uploads where user_id = users.id`).as("images"))
    .select(total(sql`from api_keys where user_id = users.id`).as("api_keys"))
    .select(total(sql`from webhook_endpoints where user_id = users.id`).as("webhook_endpoints"))
    .where("id", "=", id)
    .executeTakeFirst();
}

function membershipsOf(db: Db, userId: number) {
  return db
    .selectFrom("organization_members")
    .innerJoin("organizations", "organizations.id", "organization_id")
    .select(["organizations.username", "organization_members.role"])
    .where("user_id", "=", userId)
    .orderBy("organizations.username")
    .execute();
}

export function listOrganizations(db: Db, { q, after, limit }: { q: string; after: string; limit: number }) {
  const members = sql`from organization_members where organization_id = organizations.id`;
  return db
    .selectFrom("organizations")
    .select(["id", "username", "name"])
    .select(total(members).as("members"))
    .select(total(sql`${members} and role = 'admin'`).as("admins"))
    .where(sql<boolean>`strpos(lower(name) || ' ' || username, ${storable(q).trim().toLowerCase()}) > 0`)
    .where("id", ">", idIn(after) ?? 0)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function showUser(db: Db, id: number) {
  const user = await findUser(db, id);
  if (!user) throw notFound();
  return { ...user, organizations: await membershipsOf(db, id) };
}

export async function tagsOf(db: Db, userId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select unnest(tag_list) as name from articles where author_id = ${userId}
    union select unnest(tag_list) from listings where author_id = ${userId}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Locks and gives the organizations of which a person is the only member, and in which there is nothing of other people. */
export async function organizationsOfOne(tx: Db, userId: number) {
  const { rows } = await sql<{ id: number }>`
    select organizations.id from organizations
    join organization_members on organization_id = organizations.id and user_id = ${userId}
    order by 1 for update of organizations`.execute(tx);
  const others = (table: string, column: string) => sql<boolean>`not exists (
    select from ${sql.table(table)} where organization_id = organizations.id and ${sql.ref(column)} <> ${userId})`;
  // A statement of its own sees members who were added while this one waited.
  return tx
    .selectFrom("organizations")
    .select(["id", "username", "profile_image"])
    .where("id", "=", anyInt(rows.map(({ id }) => id)))
    .where(others("organization_members", "user_id"))
    .where(others("articles", "author_id"))
    .where(others("listings", "author_id"))
    .execute();
}
