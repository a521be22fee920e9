import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnotherServer, startAnother } from "../../../test/servers.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";
import * as notifications from "../notifications/notifications.ts";
import * as articleUpkeep from "./upkeep.ts";

const MANY = 50;

describe("publishing at the same moment, over two servers", () => {
  let world: World;
  let other: AnotherServer;
  const keys: string[] = [];
  beforeAll(async () => {
    world = await startWorld();
    other = await startAnother(world);
    await world.user({ username: "reader" });
    for (let index = 0; index < MANY; index++) keys.push(await world.key(await world.user()));
  });
  afterAll(async () => {
    await other.stop();
    await world.stop();
  });

  const server = (index: number) => (index % 2 === 0 ? world : other);

  async function drafts(keyOf: (index: number) => string | undefined, count = MANY): Promise<number[]> {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        world.request({
          method: "POST",
          url: "/api/articles",
          key: keyOf(index),
          body: {
            article: {
              title: `Draft ${index} ${Math.random()}`,
              body_markdown: "Hello @reader",
              tags: ["wool", `tag${index % 3}`],
              series: "Looms",
            },
          },
        }),
      ),
    );
    return replies.map(({ body }) => (body as { id: number }).id);
  }

  const publish = (index: number, { id, key }: { id: number | undefined; key: string | undefined }) =>
    server(index).request({
      method: "PUT",
      url: `/api/articles/${id}`,
      key,
      body: { article: { published: true } },
    });

  async function expectOneEventEach(ids: number[]): Promise<void> {
    const { rows } = await sql<{ id: number; events: number }>`
      select (payload ->> 'article_id')::int as id, count(*)::int as events from events
      where type = 'article_published' and (payload ->> 'article_id')::int = any(${ids})
      group by 1 order by 1`.execute(world.db);
    expect(rows).toEqual(ids.toSorted((one, two) => one - two).map((id) => ({ id, events: 1 })));
  }

  async function expectTrue(): Promise<void> {
    const wrong = (await verify(world.db)).filter(({ result }) => result !== "ok");
    expect(wrong).toEqual([]);
    expect([world.bugs, other.services.bugs]).toEqual([[], []]);
  }

  test.each([
    ["one author", () => keys[0]],
    ["fifty authors", (index: number) => keys[index]],
  ])("fifty drafts of %s are all published, each once", async (_whose, keyOf) => {
    const ids = await drafts(keyOf);
    const replies = await Promise.all(ids.map((id, index) => publish(index, { id, key: keyOf(index) })));
    expect(replies.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
    expect(new Set(replies.map(({ body }) => (body as { slug: string }).slug)).size).toBe(MANY);
    await expectOneEventEach(ids);
    await expectTrue();
  });

  test("one draft that is published fifty times is published once, under one address", async () => {
    const [id] = await drafts(() => keys[0], 1);
    const replies = await Promise.all(
      Array.from({ length: MANY }, (_, index) => publish(index, { id, key: keys[0] })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
    expect(new Set(replies.map(({ body }) => (body as { path: string }).path)).size).toBe(1);
    await expectOneEventEach([id as number]);
    await expectTrue();
  });

  test("what is due is published once, though two servers do so while its authors save it", async () => {
    const ids = await drafts((index) => keys[index]);
    await sql`
      update articles set state = 'scheduled', published_at = now() - interval '1 s',
        slug = 'due-' || id where id = any(${ids})`.execute(world.db);
    const due = [world, other, world, other].map(({ db }) => articleUpkeep.publishDue(db, new Date()));
    const saves = ids.map((id, index) =>
      server(index).request({
        method: "PUT",
        url: `/api/articles/${id}`,
        key: keys[index],
        body: { article: { description: `Saved ${index}` } },
      }),
    );
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(Array(MANY).fill(200));
    await Promise.all(due);
    await articleUpkeep.publishDue(world.db, new Date());
    await expectOneEventEach(ids);
    const sent = () => Promise.all([world, other].map(({ db }) => notifications.fanOut(db, new Date())));
    await sent();
    const { rows } = await sql<{ told: number }>`
      select count(*)::int as told from notifications where article_id = any(${ids})`.execute(world.db);
    // Each author, and the one whom all of them mention.
    expect(rows).toEqual([{ told: 2 * MANY }]);
    await expectTrue();
  });
});
