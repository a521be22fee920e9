import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { dropRepeated, reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import { rowsOf, valuesOf } from "../../platform/db/rows.ts";
import type { Follows } from "../../platform/db/tables.ts";
import { anyInt, countRows, type Slice } from "../../platform/db/values.ts";

export type FollowRow = Selectable<Follows>;

export const { insertIfNew } = rowsOf("follows");

export interface Followed {
  followed_user_id?: number;
  organization_id?: number;
  tag_id?: number;
}

interface FollowerSlice extends Slice {
  isOldestFirst: boolean;
}

export interface FollowerRow {
  id: number;
  created_at: Date;
  follower_id: number;
  name: string;
  username: string;
  profile_image: string | null;
}

export async function listFollowers(db: Db, userId: number, slice: FollowerSlice): Promise<FollowerRow[]> {
  return (await followersQuery(userId, slice).execute(db)).rows;
}

/**
 * The page is cut from an index, and each person looked up afterwards: for a long page the planner would read all
 * people.
 */
export function followersQuery(userId: number, { isOldestFirst, limit, offset }: FollowerSlice) {
  const order = isOldestFirst ? sql`page.created_at, page.id` : sql`page.created_at desc, page.id desc`;
  return sql<FollowerRow>`
    select page.*, follower.name, follower.username, follower.profile_image
    from (
      select id, created_at, follower_id from follows as page
      where followed_user_id = ${userId}
        and not exists (select from users where users.id = follower_id and suspended)
      order by ${order} limit ${limit} offset ${offset}
    ) as page
    cross join lateral (select * from users where users.id = page.follower_id limit 1) as follower
    order by ${order}`;
}

/** Including suspended ones. */
export function followerCount(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom("follows").where("followed_user_id", "=", userId));
}

export interface FollowedRow extends Omit<FollowerRow, "follower_id" | "username"> {
  kind: "user" | "organization" | "tag";
  followed_id: number;
  username: string | null;
}

const COLUMNS = { users: "followed_user_id", organizations: "organization_id", tags: "tag_id" } as const;

export async function listFollowed(
  db: Db,
  followerId: number,
  { kind, limit, offset }: Slice & { kind?: keyof typeof COLUMNS | undefined },
): Promise<FollowedRow[]> {
  const isOfKind = kind === undefined ? sql`true` : sql`${sql.ref(COLUMNS[kind])} is not null`;
  const { rows } = await sql<FollowedRow>`
    select page.id, page.created_at, followed.*
    from (
      select * from follows where follower_id = ${followerId} and ${isOfKind}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as page
    cross join lateral (
      select 'user' as kind, id as followed_id, name, username, profile_image from users where id = page.followed_user_id
      union all select 'organization', id, name, username, profile_image from organizations where id = page.organization_id
      union all select 'tag', id, name, null, null from tags where id = page.tag_id
    ) as followed
    order by page.created_at desc, page.id desc`.execute(db);
  return rows;
}

export function listTags(db: Db, followerId: number) {
  return db
    .selectFrom("follows")
    .innerJoin("tags", "tags.id", "follows.tag_id")
    .select(["tags.id", "tags.name", "follows.points"])
    .where("follows.follower_id", "=", followerId)
    .orderBy("follows.points", "desc")
    .orderBy("tags.name")
    .execute();
}

/** Locks the target of a follow; for an alias, its tag. Undefined when there is none. */
export async function lock(tx: Db, { followed_user_id, organization_id, tag_id }: Followed) {
  if (tag_id !== undefined) return holdTag(tx, tag_id);
  const table = followed_user_id === undefined ? "organizations" : "users";
  const id = followed_user_id ?? organization_id ?? 0;
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id} for key share`.execute(tx);
  if (rows.length === 0) return undefined;
  return followed_user_id === undefined ? { organization_id: id } : { followed_user_id: id };
}

/** Locks the tag, which could become an alias at this moment. */
async function holdTag(tx: Db, id: number): Promise<Followed | undefined> {
  const { rows } = await sql<{ tag_id: number }>`
    select coalesce(alias_for, id) as tag_id from tags where id = ${id} for share`.execute(tx);
  return rows[0];
}

export function remove(tx: Db, followerId: number, followed: Followed): Promise<{ id: number } | undefined> {
  return tx
    .deleteFrom("follows")
    .where("follower_id", "=", followerId)
    .where((eb) => eb.and(followed))
    .returning("id")
    .executeTakeFirst();
}

export function findAmong(db: Db, wanted: readonly Partial<Insertable<Follows>>[]): Promise<FollowRow[]> {
  return db
    .selectFrom("follows")
    .selectAll()
    .where("follower_id", "=", anyInt(valuesOf(wanted, "follower_id")))
    .where((eb) =>
      eb.or([
        eb("followed_user_id", "=", anyInt(valuesOf(wanted, "followed_user_id"))),
        eb("organization_id", "=", anyInt(valuesOf(wanted, "organization_id"))),
        eb("tag_id", "=", anyInt(valuesOf(wanted, "tag_id"))),
      ]),
    )
    .execute();
}

export function listAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("follows")
    .innerJoin("users as follower", "follower.id", "follows.follower_id")
    .leftJoin("users as followed", "followed.id", "follows.followed_user_id")
    .leftJoin("organizations", "organizations.id", "follows.organization_id")
    .leftJoin("tags", "tags.id", "follows.tag_id")
    .select(["follows.id", "follows.points", "follows.created_at"])
    .select(["follower.username as user", "followed.username as followed_user"])
    .select(["organizations.username as organization", "tags.name as tag"])
    .where("follows.id", ">", id)
    .orderBy("follows.id")
    .limit(limit)
    .execute();
}

/**
 * Gives one person's follows and followers to another, each once: of two weights of a tag the greater one stays, and
 * nobody follows themselves. Returns the number of moved ones.
 */
export async function reassign(tx: Db, people: Reassignment): Promise<number> {
  const { from, to } = people;
  await sql`
    delete from follows where (follower_id, followed_user_id) in ((${from}, ${to}), (${to}, ${from}))`.execute(
    tx,
  );
  await sql`
    update follows as kept set points = gone.points from follows as gone
    where gone.follower_id = ${from} and kept.follower_id = ${to} and kept.tag_id = gone.tag_id
      and kept.points < gone.points`.execute(tx);
  const following = ["follows", "follower_id"] as const;
  const followed = ["follows", "followed_user_id"] as const;
  await dropRepeated(tx, following, { ...people, same: ["followed_user_id", "organization_id", "tag_id"] });
  await dropRepeated(tx, followed, { ...people, same: ["follower_id"] });
  return (await reassignRows(tx, following, people)) + (await reassignRows(tx, followed, people));
}

export interface Audience {
  articleId: number;
  authorId: number;
  organizationId: number | null;
  /** The last follower before. */
  after: number;
}

interface Parts {
  articles: number[];
  authors: number[];
  organizations: (number | null)[];
  afters: number[];
  limit: number;
}

const selectAudiences = prepare<Parts, { article_id: number; follower_ids: number[] }>(
  (value) => sql`
    select article_id, array(
      (select follower_id from follows
        where followed_user_id = part.author_id and follower_id > part.after
        order by follower_id limit ${value("limit")})
      union
      (select follower_id from follows
        where organization_id = part.organization_id and follower_id > part.after
        order by follower_id limit ${value("limit")})
      order by follower_id limit ${value("limit")}
    ) as follower_ids
    from unnest(
      ${value("articles")}::int[], ${value("authors")}::int[], ${value("organizations")}::int[],
      ${value("afters")}::int[]
    ) as part (article_id, author_id, organization_id, after)`,
);

/** Finds at most `limit` followers of each article's author or organization, each once, in order. */
export async function audiences(
  db: Db,
  parts: readonly Audience[],
  limit: number,
): Promise<Map<number, number[]>> {
  const rows = await selectAudiences(db, {
    articles: parts.map(({ articleId }) => articleId),
    authors: parts.map(({ authorId }) => authorId),
    organizations: parts.map(({ organizationId }) => organizationId),
    afters: parts.map(({ after }) => after),
    limit,
  });
  return new Map(rows.map(({ article_id, follower_ids }) => [article_id, follower_ids]));
}
