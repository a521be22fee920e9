import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilWaiting } from "../../test/at-once.ts";
import { startWorld, type World } from "../../test/world.ts";
import { inTransaction } from "../db/transaction.ts";
import { prepare } from "./prepared.ts";
import * as removal from "./removal.ts";
import * as writing from "./writing.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const IN_A_MONTH = new Date(NOW.getTime() + 31 * 86_400_000);
const LIMITS = { article_create_limit: 10, article_create_new_account_limit: 10, article_update_limit: 10 };
const RULES = { now: NOW, limits: LIMITS, contactEmail: "", posting: "everyone" } as const;

describe("what waits for one another", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ now: NOW });
  });
  afterAll(() => world.stop());

  const request = async (writer: { id: number; role: string }, article: object) => ({
    writer,
    prepared: await prepare(world.db, world.services.renderPool, { ...article }),
    rules: RULES,
  });

  test("an article that is put into a series while its last one is purged stays in it", async () => {
    const ada = await world.user({ username: "ada" });
    const { id: old } = await world.article(ada, { series: "Looms" });
    const series = await world.db.selectFrom("collections").select("id").executeTakeFirstOrThrow();
    const key = await world.key(ada);
    expect(await world.request({ method: "DELETE", url: `/api/articles/${old}`, key })).toMatchObject({
      status: 204,
    });

    const article = { title: "New", body_markdown: "a", published: true, series: "Looms" };
    const wanted = await request(ada, article);
    let purging: Promise<number> | undefined;
    const { id } = await inTransaction(world.db, async (tx) => {
      const saved = await writing.create(tx, wanted);
      purging = removal.purge(world.db, IN_A_MONTH);
      await untilWaiting(world.db, 1);
      return saved;
    });
    expect(await purging).toBe(1);
    expect(await world.get(`/api/articles/${id}`)).toMatchObject({ body: { collection_id: series.id } });
  });

  test("two admins who change each other's articles don't wait crosswise", async () => {
    const bob = await world.user({ username: "bob", role: "admin" });
    const cleo = await world.user({ username: "cleo", role: "admin" });
    const bobs = await world.article(bob);
    const cleos = await world.article(cleo);
    let attempts = 0;
    const change = async (writer: typeof bob, { id }: { id: number }) => {
      const wanted = await request(writer, { series: "Moved" });
      await inTransaction(world.db, async (tx) => {
        attempts += 1;
        await writing.update(tx, { id, ...wanted });
      });
    };
    const holder = await world.pool.connect();
    await holder.query("begin; lock table recent_actions in exclusive mode");
    const both = Promise.all([change(bob, cleos), change(cleo, bobs)]);
    await untilWaiting(world.db, 2);
    await holder.query("commit");
    holder.release();
    await both;
    // Whoever waits crosswise is run again.
    expect(attempts).toBe(2);
  });
});
