import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createRandom, type Random } from "../../../bench/corpus/random.ts";
import { sample } from "../../../test/setup.ts";
import { worldForAll } from "../../../test/world.ts";
import { idCode } from "../comments/id-codes.ts";
import { addUpChanges } from "./roll-up.ts";
import type { Referrers, Totals } from "./routes.ts";

const DAYS = 90;
const TODAY = "2026-03-31";
const FIRST = new Date("2026-01-01T00:00:00Z");

let keys: Record<string, string>;
const world = worldForAll({ now: new Date(`${TODAY}T12:00:00Z`) });
beforeAll(async () => {
  keys = await world.keysOf({ ada: "admin", ben: "member", cy: "member" });
  await world.organization({ username: "lab", members: [...MEMBERS("ada", "ben")] });
  await world.organization({ username: "guild", members: [...MEMBERS("ben", "cy")] });
});

const MEMBERS = (...names: string[]) => names.map((username) => ({ username, role: "member" }));
const PEOPLE = ["ada", "ben", "cy"];
const REFERRERS = ["", "news.example", "social.example"];
const CATEGORIES = ["like", "unicorn", "readinglist", "fire"] as const;

/** A history in which everything that moves a figure happens, in any order. */
async function live(random: Random, steps: number): Promise<number[]> {
  const slugs: string[] = [];
  const ids: number[] = [];
  const day = () => new Date(FIRST.getTime() + random.between(-12, DAYS - 1) * 86_400_000).toISOString();
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const { id, slug } = await world.article({ username: random.pick(PEOPLE) });
      ids.push(id);
      slugs.push(slug);
    },
    () =>
      world.pageViews({
        article: random.pick(slugs),
        on: day().slice(0, 10),
        referrer: random.pick(REFERRERS),
        count: random.between(1, 9),
        read_time_seconds: random.between(0, 90),
        ...(random.between(0, 1) === 1 && { user: random.pick(PEOPLE) }),
      }),
    () =>
      world.reaction({
        user: random.pick(PEOPLE),
        article: random.pick(slugs),
        category: random.pick(CATEGORIES),
        created_at: day(),
      }),
    () =>
      world.comment(
        { username: random.pick(PEOPLE) },
        { article: random.pick(slugs), created_at: day(), score: random.between(-1, 2) },
      ),
    async () => {
      const { rows } = await sql<{ id: number }>`select id from comments order by id desc limit 5`.execute(
        world.db,
      );
      const { id } = random.pick(rows.length > 0 ? rows : [{ id: 0 }]);
      if (id === 0) return;
      await world.reaction({ user: random.pick(PEOPLE), comment: idCode(id), category: "like" });
      if (random.between(0, 2) === 0)
        await world.db.updateTable("comments").set({ deleted: true }).where("id", "=", id).execute();
    },
    async () => {
      const [user, followed_user] = random.between(0, 1) === 0 ? ["ada", "ben"] : ["cy", "ada"];
      await world.follow({ user, followed_user, created_at: day() });
      await world.follow({ user: random.pick(PEOPLE), organization: "lab", created_at: day() });
    },
    () => world.db.deleteFrom("follows").where("organization_id", "is not", null).execute(),
    () => sql`delete from reactions where id = (select max(id) from reactions)`.execute(world.db),
    () => act("PUT", `/api/articles/${random.pick(ids)}/unpublish`),
    () => act("PUT", `/api/articles/${random.pick(ids)}`, { published: true }),
    () => act("PUT", `/api/articles/${random.pick(ids)}`, { title: `Again ${random.between(1, 1e9)}` }),
    async () => {
      const organization = await world.db
        .selectFrom("organizations")
        .select("id")
        .where("username", "=", random.pick(["lab", "guild"]))
        .executeTakeFirstOrThrow();
      await sql`update articles set organization_id = ${organization.id} where id = ${random.pick(ids)}`.execute(
        world.db,
      );
      await act("PUT", `/api/articles/${random.pick(ids)}`, { organization_id: organization.id });
      await sql`update published_articles set organization_id = articles.organization_id from articles where articles.id = article_id`.execute(
        world.db,
      );
    },
    async () => random.between(0, 4) === 0 && act("DELETE", `/api/articles/${random.pick(ids)}`),
    // Its id is free then.
    async () => {
      const id = random.pick(ids);
      await world.db.deleteFrom("articles").where("id", "=", id).execute();
      const { slug } = await world.article({ username: random.pick(PEOPLE) }, { id });
      slugs.push(slug);
    },
    () => addUpChanges(world.db),
  ];
  for (const _ of [1, 2, 3]) await actions[0]?.();
  for (let step = 0; step < steps; step += 1) await random.pick(actions)().catch(ignoreDeleted);
  return ids;
}

/** Deleted articles can't be written to. */
function ignoreDeleted(error: Error): void {
  if (!/is not one of the site/.test(error.message)) throw error;
}

const act = (method: string, url: string, article?: object) =>
  world.request({ method, url, key: keys["ada"], ...(article && { body: { article } }) });

/** The figures of each day from the rows themselves. */
async function recount(ids: number[], owner: { kind: string; id: number }): Promise<[string, Totals][]> {
  const { rows } = await sql<Record<string, string>>`
    with counted as (select article_id from published_articles where article_id = any(${ids}))
    select day::date::text as day, comments.*, follows.*, reactions.*, page_views.*
    from generate_series(${FIRST}::timestamp, ${TODAY}::timestamp, '1 day') as day,
    lateral (
      select count(*) as comments from comments where article_id in (select * from counted)
        and not deleted and score > 0 and (created_at at time zone 'UTC')::date = day
    ) as comments, lateral (
      select count(*) as follows from follows where (created_at at time zone 'UTC')::date = day
        and case ${owner.kind} when 'user' then followed_user_id else organization_id end = ${owner.id}
    ) as follows, lateral (
      select count(*) as reactions, count(*) filter (where category = 'like') as likes,
        count(*) filter (where category = 'readinglist') as saved
      from reactions where article_id in (select * from counted) and (created_at at time zone 'UTC')::date = day
    ) as reactions, lateral (
      select coalesce(sum(views), 0) as views, coalesce(round(
        sum(views * read_time_seconds) filter (where user_id is not null)::numeric
          / sum(views) filter (where user_id is not null)), 0) as average
      from page_views where article_id in (select * from counted) and page_views.day = day.day
    ) as page_views`.execute(world.db);
  return rows.map((row) => [row["day"] ?? "", toTotals((name) => Number(row[name]))]);
}

function toTotals(count: (name: string) => number): Totals {
  return {
    comments: { total: count("comments") },
    follows: { total: count("follows") },
    reactions: { total: count("reactions"), like: count("likes"), readinglist: count("saved") },
    page_views: {
      total: count("views"),
      average_read_time_in_seconds: count("average"),
      total_read_time_in_seconds: count("average") * count("views"),
    },
  };
}

interface Asked {
  query: string;
  key: string | undefined;
  articles: number[];
  owner: { kind: string; id: number };
}

async function expectRecounted({ query, key, articles, owner }: Asked): Promise<void> {
  const url = `/api/analytics/historical?start=2026-1-1&end=${TODAY}&${query}`;
  const { body, status } = await world.get(url, { key });
  const expected = await recount(articles, owner);
  expect({ status, days: expected.length }).toEqual({ status: 200, days: DAYS });
  expect(Object.entries(body as object)).toEqual(expected);
  await expectReferrersRecounted({ query, key, articles, owner });
}

/** Months, parts of months and single days. */
const RANGES = [
  ["2026-02-01", "2026-02-28"],
  ["2026-01-01", "2026-03-31"],
  ["2026-02-28", "2026-02-28"],
  ["2026-03-01", "2026-03-01"],
  ["2026-02-10", "2026-02-20"],
  ["2026-01-02", "2026-02-27"],
  ["2026-01-10", "2026-03-20"],
  ["2026-01-20", "2026-02-10"],
  ["2026-01-20", "2026-03-10"],
  ["2025-12-25", "2026-01-05"],
  ["2025-12-20", "2026-03-03"],
] as const;

async function expectReferrersRecounted({ query, key, articles }: Asked): Promise<void> {
  for (const [start, end] of RANGES) {
    const { rows } = await sql<Referrers["domains"][number]>`
      select nullif(referrer, '') as domain, sum(views)::float8 as count from page_views
      where article_id = any(${articles}) and day between ${start} and ${end}
      group by referrer order by 2 desc, referrer collate "C"`.execute(world.db);
    const { body } = await world.get(`/api/analytics/referrers?start=${start}&end=${end}&${query}`, { key });
    expect({ start, end, ...(body as Referrers) }).toEqual({ start, end, domains: rows });
  }
}

async function published(column: "author_id" | "organization_id", id: number): Promise<number[]> {
  const rows = await world.db
    .selectFrom("published_articles")
    .select("article_id")
    .where(column, "=", id)
    .execute();
  return rows.map(({ article_id }) => article_id);
}

test.each(sample([1, 2, 3], 1))("figures equal a recount of rows after any history (%s)", async (seed) => {
  const random = createRandom(seed);
  const ids = await live(random, 250);
  for (const folded of [false, true]) {
    if (folded) await addUpChanges(world.db);
    for (const username of PEOPLE) {
      const { id } = await world.db
        .selectFrom("users")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      const articles = await published("author_id", id);
      await expectRecounted({ query: "", key: keys[username], articles, owner: { kind: "user", id } });
    }
    for (const username of ["lab", "guild"]) {
      const { id } = await world.db
        .selectFrom("organizations")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      const articles = await published("organization_id", id);
      const owner = { kind: "organization", id };
      await expectRecounted({ query: `organization_id=${id}`, key: keys["ben"], articles, owner });
    }
  }
  const { rows } = await sql<{ article_id: number; author_id: number; username: string }>`
    select article_id, author_id, username from published_articles join users on users.id = author_id
    where article_id = any(${ids})`.execute(world.db);
  expect(rows.length).toBeGreaterThan(0);
  for (const { article_id, author_id, username } of rows.slice(0, 3)) {
    const owner = { kind: "user", id: author_id };
    const asked = { key: keys[username], articles: [article_id], owner };
    await expectRecounted({ ...asked, query: `article_id=${article_id}` });
  }
});
