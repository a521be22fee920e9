import { sql } from "kysely";
import { operator } from "../../src/http/actor.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verify } from "../../src/operate/health/invariants.ts";
import * as settings from "../../src/platform/settings/settings.ts";
import * as keys from "../../src/community/users/keys.ts";
import { suspend } from "../../src/community/moderation/acts.ts";
import * as links from "../../src/community/users/one-time-links.ts";
import * as users from "../../src/community/users/users.ts";
import { type DatabaseGate, openGate } from "../database-gate.ts";
import { databaseForAll } from "../own-database.ts";
import { urlOf } from "../commands.ts";
import { type Answer, type ServerProcess, startServerProcess } from "../servers.ts";

const database = databaseForAll();
let one: ServerProcess;
let two: ServerProcess;
beforeAll(async () => {
  [one, two] = await Promise.all([start(), start()]);
});
afterAll(() => Promise.all([one.kill(), two.kill()]));

const start = () => startServerProcess(urlOf(database.name));

let serial = 0;
async function person(): Promise<{ id: number; username: string; key: string; keyId: number }> {
  const made = await users.create(operator(database.db), {
    username: `person_${++serial}`,
    name: "Somebody",
  });
  const { key, id } = await keys.create(database.db, { userId: made.id, description: "Test" }, new Date());
  return { ...made, key, keyId: id };
}

interface Post {
  key: string;
  article?: object;
  headers?: Record<string, string>;
}

const post = (server: ServerProcess, { key, article = {}, headers = {} }: Post): Promise<Answer> =>
  server.request("/api/articles", {
    method: "POST",
    key,
    headers,
    body: { article: { title: `Title ${++serial}`, body_markdown: "Words.", ...article } },
  });

describe("two server processes", () => {
  test("refuse a revoked key, also after their connections were cut", async () => {
    for (const isCut of [false, true]) {
      const { key, keyId } = await person();
      const statuses = () =>
        Promise.all(
          [one, two].map(async (server) => (await server.request("/api/users/me", { key })).status),
        );
      expect(await statuses()).toEqual([200, 200]);
      if (isCut) await cutConnections();
      await keys.revoke(database.superuser, keyId);
      await expect.poll(statuses).toEqual([401, 401]);
    }
  });

  test("know a session that either has begun, and none that has ended", async () => {
    const { id } = await person();
    const path = `/signin/link/${await links.create(database.db, id, new Date())}`;
    const headers = { "sec-fetch-site": "same-origin" };
    const signedIn = await one.request(path, { method: "POST", headers });
    const cookie = String(signedIn.headers.get("set-cookie")).split(";")[0] ?? "";
    const statuses = () =>
      Promise.all(
        [one, two].map(
          async (server) => (await server.request("/settings/profile", { headers: { cookie } })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    await suspend(operator(database.superuser), { id });
    expect(await statuses()).toEqual([303, 303]);
  });

  test("let a person publish ten in thirty seconds together, and feel another number soon", async () => {
    const { key } = await person();
    const publish = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          post(index % 2 === 0 ? one : two, { key, article: { published: true } }),
        ),
      );
    const replies = await publish(30);
    const refused = replies.filter(({ status }) => status === 429);
    expect([replies.filter(({ status }) => status === 201).length, refused.length]).toEqual([10, 20]);
    for (const { headers } of refused) {
      expect(headers.get("retry-after")).toBe("30");
      expect(headers.get("ratelimit")).toBe('"article_create";r=0;t=30');
    }
    await settings.set(database.db, "article_create_limit", "12");
    await expect.poll(async () => (await post(two, { key, article: { published: true } })).status).toBe(201);
    const more = (await publish(6)).map(({ status }) => status);
    expect(more.filter((status) => status === 201)).toHaveLength(1);
  });

  /** Those of both processes, and the idle ones of this one. */
  async function cutConnections(): Promise<void> {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.superuser);
  }
});

describe("a server process that is killed", () => {
  let gate: DatabaseGate;
  let third: ServerProcess;
  async function startThird(): Promise<void> {
    gate = await openGate(database.name);
    third = await startServerProcess(gate.url);
  }
  async function killThird(): Promise<void> {
    await third.kill();
    await gate.close();
  }

  const KEEPING = 'insert into "idempotency_keys"';
  const articlesOf = async ({ id }: { id: number }) =>
    (await database.db.selectFrom("articles").select("id").where("author_id", "=", id).execute()).length;

  test("before the commit has done nothing, and until then the request counts as running", async () => {
    await startThird();
    const author = await person();
    const request = { key: author.key, article: { title: "Once" }, headers: { "idempotency-key": "a" } };
    const come = gate.hold({ statements: [KEEPING], isDone: false });
    const lost = post(third, request).catch(() => "lost");
    await come;
    const busy = await post(one, request);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([409, "1"]);
    await killThird();
    expect(await lost).toBe("lost");
    expect(await articlesOf(author)).toBe(0);
    let again = await post(two, request);
    // The database notices the lost client a moment later.
    while (again.status === 409) again = await post(two, request);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(await articlesOf(author)).toBe(1);
  });

  test("between the commit and its answer has done it: the repeated request gets the answer", async () => {
    await startThird();
    const author = await person();
    const request = { key: author.key, article: { title: "Once" }, headers: { "idempotency-key": "a" } };
    const come = gate.hold({ statements: [KEEPING, "commit"], isDone: true });
    const lost = post(third, request).catch(() => "lost");
    await come;
    await expect.poll(() => articlesOf(author)).toBe(1);
    await killThird();
    expect(await lost).toBe("lost");
    const [again, oncemore] = [await post(one, request), await post(two, request)];
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(oncemore.text).toBe(again.text);
    expect(await articlesOf(author)).toBe(1);
  });

  test("while it was about to publish what is due leaves it to the others, who do so once", async () => {
    await startThird();
    const [author, reader] = [await person(), await person()];
    const published_at = new Date(Date.now() + 3_600_000).toISOString();
    const body_markdown = `Hello @${reader.username}`;
    const ids: number[] = [];
    for (let index = 0; index < 25; index++) {
      const { status, text } = await post(one, {
        key: author.key,
        article: { published: true, published_at, body_markdown },
      });
      expect([status, text]).toEqual([201, text]);
      ids.push((JSON.parse(text) as { id: number }).id);
    }
    // The two others must not be faster.
    for (const { child } of [one, two]) child.kill("SIGSTOP");
    const come = gate.hold({ statements: ['update "articles" set "state"'], isDone: false });
    const dueAt = new Date();
    await database.db
      .updateTable("articles")
      .set({ published_at: dueAt })
      .where("author_id", "=", author.id)
      .execute();
    await come;
    for (const { child } of [one, two]) child.kill("SIGCONT");
    const published = async () => {
      const { rows } = await sql<{ articles: number; events: number; told: number }>`
        select (select count(*)::int from articles where id = any(${ids}) and state = 'published') as articles,
          (select count(*)::int from events where type = 'article_published'
            and (payload ->> 'article_id')::int = any(${ids})) as events,
          (select count(*)::int from notifications where user_id = ${reader.id}) as told`.execute(
        database.db,
      );
      return rows[0];
    };
    // The one that the third holds waits for it.
    await expect.poll(published).toEqual({ articles: 24, events: 24, told: 24 });
    await killThird();
    await expect.poll(published).toEqual({ articles: 25, events: 25, told: 25 });
    await expect
      .poll(async () => (await one.request("/api/articles/latest")).text)
      .toContain(dueAt.toISOString().slice(0, 19));
  });
});

test("nothing of this left anything wrong behind", async () => {
  expect((await verify(database.db)).filter(({ result }) => result !== "ok")).toEqual([]);
});
