import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportOf } from "../../../test/community-file.ts";
import { faultsIn } from "../../../test/health.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";
import { importFile } from "../../operate/community-file/import.ts";
import { createDatabase } from "../../../test/database.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import { showUser } from "./accounts.ts";
import { deleteUser } from "./deleting.ts";

const NOW = new Date("2026-03-05T12:00:00Z");
const SECRET = "canary";

/** Ada, who has one of everything, and Bob, who answers her. */
async function startPopulated(): Promise<World> {
  const world = await startWorld({ now: NOW });
  const bob = await world.user({ username: "bob", role: "admin" });
  const ada = await world.user({ username: "ada", name: `Ada ${SECRET}`, email: `${SECRET}@ada.example` });
  await world.organization({ username: "tinkerlab", members: [{ username: "ada", role: "admin" }] });
  await world.article(bob, { slug: "by-bob", tags: ["wool"] });
  await world.article(ada, { slug: "by-ada", tags: ["wool"], series: "S", organization: "tinkerlab" });
  await world.article(ada, { slug: "draft", published: false });
  const first = await world.comment(ada, { article: "by-bob", body_markdown: `I am ${SECRET}` });
  await world.comment(bob, { article: "by-bob", parent: first.code, body_markdown: "Hello Ada" });
  await world.comment(ada, { article: "by-bob", parent: first.code, deleted: true });
  const under = await world.comment(bob, { article: "by-ada" });
  await world.comment(ada, { article: "by-ada", parent: under.code });
  await world.podcast({ slug: "loomcast", owner: "ada" });
  await world.episode("loomcast", { slug: "one" });
  await world.comment(ada, { episode: "loomcast/one", body_markdown: SECRET });
  await world.reaction({ user: "ada", article: "by-bob", category: "like" });
  await world.reaction({ user: "bob", article: "by-ada", category: "like" });
  await world.reaction({ user: "ada", comment: first.code, category: "like" });
  await world.follow({ user: "ada", followed_user: "bob" });
  await world.follow({ user: "bob", followed_user: "ada" });
  await world.listing(ada);
  await world.webhook(ada);
  await world.key(ada);
  await world.pageViews(
    { article: "by-bob", on: "2026-03-04", user: "ada", count: 1 },
    { article: "by-bob", on: "2026-03-04", count: 2 },
  );
  return world;
}

/** Rows of other people with this address, which is Ada's, and with one that isn't. */
async function leaveAddresses({ superuser }: World, own: string): Promise<void> {
  for (const [turn, address] of [own, "mo@mo.example"].entries()) {
    await sql`
      insert into mails (kind, address, about, created_at, next_attempt_at)
      values ('invitation', ${address}, '{}', ${NOW}, ${NOW})`.execute(superuser);
    await sql`
      insert into sign_ups (username, name, email, password_hash, network, state, created_at, decided_at)
      values (${`joiner_${turn}`}, 'Joiner', ${address}, '', '', 'declined', ${NOW}, ${NOW})`.execute(
      superuser,
    );
    await sql`
      insert into invitations (inviter_id, address, uses_left, expires_at, created_at)
      select id, ${address}, 1, ${NOW}, ${NOW} from users where username = 'bob'`.execute(superuser);
  }
}

describe("deleting an account", () => {
  let world: World;
  let id: number;
  let before: object;
  let tally: object;
  beforeAll(async () => {
    world = await startPopulated();
    id = (
      await world.db.selectFrom("users").select("id").where("username", "=", "ada").executeTakeFirstOrThrow()
    ).id;
    const file = "0123456789abcdef0123456789abcdef.png";
    await sql`insert into uploads (name, user_id, bytes) values (${file}, ${id}, 3)`.execute(world.db);
    await world.context.files.put(`uploads/${file}`, Buffer.from("abc"));
    await leaveAddresses(world, `${SECRET.toUpperCase()}@ada.example`);
    before = await showUser(world.db, id);
    tally = await deleteUser({ db: world.db, files: world.context.files }, { id, now: NOW });
  });
  afterAll(() => world.stop());

  test("counts what goes", () => {
    expect(before).toMatchObject({ articles: 2, comments: 3, images: 1, api_keys: 1 });
    expect(tally).toEqual({ articles: 2, comments: 3, images: 1, organizations: 1, settings: [] });
  });

  test("leaves its address nowhere, and those of others", async () => {
    const { rows } = await sql`
      select 'mail', address from mails union select 'sign-up', email from sign_ups
      union select 'invitation', address from invitations where revoked_at is null order by 1, 2`.execute(
      world.superuser,
    );
    expect(rows.map((row) => Object.values(row as object).join(" "))).toEqual([
      "invitation mo@mo.example",
      "mail mo@mo.example",
      "sign-up mo@mo.example",
    ]);
  });

  test("leaves a site in which everything agrees", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test("takes its articles, its file and its name away, and frees the name", async () => {
    expect((await world.get("/api/articles?username=ada")).body).toEqual([]);
    expect((await world.get("/api/articles/search?q=ada")).body).toEqual([]);
    expect((await world.get("/api/users/by_username?url=ada")).status).toBe(404);
    expect(await world.context.files.get("uploads/0123456789abcdef0123456789abcdef.png")).toBeUndefined();
    await world.user({ username: "ada" });
  });

  test("leaves the answers to its comments where they are", async () => {
    const [article] = (await world.get("/api/articles?username=bob")).body as { id: number }[];
    const { body } = await world.get(`/api/comments?a_id=${article?.id}`);
    expect(body).toEqual([
      {
        type_of: "comment",
        id_code: expect.any(String),
        created_at: expect.any(String),
        deleted: true,
        children: [
          expect.objectContaining({ body_html: expect.stringContaining("Hello Ada"), children: [] }),
          expect.objectContaining({ deleted: true, children: [] }),
        ],
      },
    ]);
    expect((await world.get(`/api/articles/${article?.id}`)).body).toMatchObject({ comments_count: 1 });
  });

  test("leaves nothing in the database that the person has said", async () => {
    await vocabulary.addUpChanges(world.db);
    const { rows } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`.execute(world.db);
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: hits } = await sql`
        select from ${sql.table(name)} as each where to_jsonb(each)::text ilike ${`%${SECRET}%`}`.execute(
        world.db,
      );
      if (hits.length > 0) found.push(name);
    }
    expect(found).toEqual([]);
  });

  test("leaves a community that is exported and imported whole", async () => {
    const file = await exportOf(world.db);
    expect(file).toContain('"body_markdown":"","');
    const other = await createDatabase();
    const options = { now: NOW, renderPool: world.services.renderPool };
    await importFile(other.connection.db, Readable.from([Buffer.from(file)]), options);
    const again = await importFile(other.connection.db, Readable.from([Buffer.from(file)]), options);
    expect(again).toMatchObject({ created: 0, updated: 0 });
    expect(await exportOf(other.connection.db)).toBe(file);
    await other.drop();
  });
});

test("the last admin's account stays", async () => {
  const world = await startWorld();
  const { id } = await world.user({ username: "bob", role: "admin" });
  const deleting = deleteUser({ db: world.db, files: world.context.files }, { id, now: NOW });
  await expect(deleting).rejects.toThrow("The site needs an admin who isn't suspended");
  expect(await showUser(world.db, id)).toMatchObject({ username: "bob" });
  await world.stop();
});
