import { beforeAll, expect, test } from "vitest";
import { withClock } from "../../test/waiting.ts";
import { searchUrl } from "../../test/searching.ts";
import type { Databases, Db, Replicas } from "../platform/db/connect.ts";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll({ rateLimits: true, config: { searchMemoryBytes: 0 } });
beforeAll(async () => {
  await world.article(await world.user({ username: "ada" }), {
    title: "Strings",
    description: "In short.",
    body_markdown: "Zithers.",
  });
});

const BROKEN = new Proxy({} as Db, {
  get() {
    throw new Error("Connection terminated");
  },
});

/** Loses its first server in each load, and does something before it goes on. */
function repeating(lost: Partial<Databases>, between: () => Promise<unknown>): Replicas {
  const { db } = world.context;
  return {
    isPrimaryAway: false,
    async load(work) {
      await work({ ...db, ...lost }).catch(() => {});
      await between();
      return work(db);
    },
  };
}

async function withReplicas(replicas: Replicas, work: () => Promise<void>): Promise<void> {
  const { db } = world.context;
  db.replicas = replicas;
  await withClock(work).finally(() => (db.replicas = undefined));
}

test("suggestions take one token, also where another server repeats them", async () => {
  await withReplicas(
    repeating({ replica: BROKEN }, async () => {}),
    async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 11; at++)
        statuses.push((await world.get(`/search/suggestions?q=zi${at}`)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    },
  );
});

test("a search that lost its server finds anew on the next one", async () => {
  const remove = () => world.superuser.deleteFrom("search_rows").execute();
  await withReplicas(repeating({ replica: BROKEN }, remove), async () => {
    const { status, body } = await world.get(searchUrl({ q: "zithers" }));
    expect([status, body]).toEqual([200, []]);
  });
});
