import { describe, expect, test } from "vitest";
import { untilWaiting } from "../../../test/waiting.ts";
import { worldForAll } from "../../../test/world.ts";
import { authorOf } from "../../../test/actors.ts";
import type { Operator } from "../../http/actor.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as articles from "./articles.ts";
import * as removal from "./removal.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const IN_A_MONTH = new Date(NOW.getTime() + 31 * 86_400_000);
describe("what waits for one another", () => {
  const world = worldForAll({ now: NOW });

  const author = (user: { id: number; role: string }, run: Operator["run"]) =>
    authorOf(world.db, user, { now: NOW, limits: {}, renderer: world.services.renderPool, run });

  test("an article that is put into a series while its last one is purged stays in it", async () => {
    const ada = await world.user({ username: "ada" });
    const { id: old } = await world.article(ada, { series: "Looms" });
    const series = await world.db.selectFrom("collections").select("id").executeTakeFirstOrThrow();
    const key = await world.key(ada);
    expect(await world.request({ method: "DELETE", url: `/api/articles/${old}`, key })).toMatchObject({
      status: 204,
    });

    const article = { title: "New", body_markdown: "a", published: true, series: "Looms" };
    let purging: Promise<number> | undefined;
    const actor = author(ada, (write) =>
      inTransaction(world.db, async (tx) => {
        const saved = await write(tx);
        purging = removal.purge(world.db, IN_A_MONTH);
        await untilWaiting(world.db, 1);
        return saved;
      }),
    );
    const { id } = (await articles.create(actor, { given: article })).row;
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
      const actor = author(writer, (write) =>
        inTransaction(world.db, (tx) => {
          attempts += 1;
          return write(tx);
        }),
      );
      await articles.update(actor, { id, given: { series: "Moved" } });
    };
    const holder = await world.pool.connect();
    await holder.query("begin; lock table recent_actions in exclusive mode");
    const both = Promise.all([change(bob, cleos), change(cleo, bobs)]);
    await untilWaiting(world.db, 2);
    await holder.query("commit");
    holder.release();
    await both;
    // A deadlock is retried.
    expect(attempts).toBe(2);
  });
});
