import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { faultsIn } from "../../../test/health.ts";
import * as articleUpkeep from "../../community/articles/upkeep.ts";
import * as tags from "../../community/tags/editing.ts";
import { verify } from "../health/invariants.ts";
import { worldForAll } from "../../../test/world.ts";

let key: string;
const world = worldForAll();
beforeAll(async () => {
  key = await world.key(await world.user({ username: "lena" }));
});

const write = (title: string, tag: string) =>
  world.request({
    method: "POST",
    url: "/api/articles",
    key,
    body: { article: { title, body_markdown: "Words.", tags: [tag], published: true } },
  });

describe("a tag that becomes another name of another one", () => {
  test("while people write with it loses none of their articles", async () => {
    for (const name of ["garden", "gardening"]) await world.tag({ name });
    const merge = async () => {
      await tags.alias(operator(world.db), { name: "garden", of: "gardening" });
      await articleUpkeep.refreshAll(world.db, { alias: "garden" }, new Date());
    };
    const titles = Array.from({ length: 40 }, (_, n) => `Bed ${n}`);
    const writes = titles.map((title, n) => write(title, n % 2 ? "garden" : "gardening"));
    const [replies] = await Promise.all([Promise.all(writes), merge()]);
    expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
    // What the background work does a minute later.
    await articleUpkeep.refreshAll(world.db, { alias: "garden" }, new Date());
    await sql`select graphile_worker.remove_job('refresh-articles {"alias":"garden"}')`.execute(world.db);
    expect(faultsIn(await verify(world.db))).toEqual({});
    expect((await world.get("/api/articles?tag=garden&per_page=100")).body).toHaveLength(40);
  });

  test("at the same moment as that one becomes its other name: one of the two happens", async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [`one${round}`, `other${round}`];
      for (const name of [one, other]) await world.tag({ name });
      const outcomes = await Promise.allSettled([
        tags.alias(operator(world.db), { name: one, of: other }),
        tags.alias(operator(world.db), { name: other, of: one }),
      ]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    expect(faultsIn(await verify(world.db))["tag aliases"]).toBeUndefined();
  });
});
