import { afterAll, beforeAll, beforeEach } from "vitest";
import { render } from "../src/comments/body.ts";
import { comments } from "./actors.ts";
import { inTransaction } from "../src/db/transaction.ts";
import { type Hooks, hooksIn } from "./hooks.ts";
import { type Telling, tellingIn } from "./telling.ts";
import { startWorld, type World } from "./world.ts";

export const NOW = new Date("2026-03-31T12:00:00.250Z");
export const RULES = { now: NOW, limit: undefined, dailyLimit: undefined };

interface Person {
  id: number;
  username: string;
}

/** A request to an endpoint. */
interface Sent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The events of these, in their order. */
export const types = (all: Sent[]) => all.map(({ type }) => type);

/** Ada, who has an endpoint that wants everything, and the moderator bob; others in every test of a file. */
export function hearingForEach() {
  let world: World;
  let hooks: Hooks;
  let telling: Telling;
  let serial = 0;
  let ada: Person;
  let bob: Person;
  let endpoint: { id: number };
  beforeAll(async () => {
    world = await startWorld({ now: NOW });
    hooks = hooksIn(world);
    telling = tellingIn(world, NOW);
  });
  beforeEach(async () => {
    serial += 1;
    ada = await world.user({ username: `ada_${serial}`, name: "Ada" });
    bob = await world.user({ username: `bob_${serial}`, name: "Bob", role: "moderator" });
    endpoint = await hooks.endpoint(ada, { target_url: "https://hooks.example/a" });
  });
  afterAll(async () => {
    await hooks.stop();
    await world.stop();
  });

  return {
    get world() {
      return world;
    },
    get hooks() {
      return hooks;
    },
    get telling() {
      return telling;
    },
    get ada() {
      return ada;
    },
    get bob() {
      return bob;
    },
    /** Ada's. */
    get endpoint() {
      return endpoint;
    },
    /** The requests to an endpoint since the last call. */
    async sent(to: { id: number } = endpoint): Promise<Sent[]> {
      await hooks.fanOut();
      const rows = await hooks.deliveries(to);
      await world.db.deleteFrom("webhook_deliveries").where("endpoint_id", "=", to.id).execute();
      return rows.map(({ payload }) => JSON.parse(payload) as Sent);
    },
    /** Changes an article of ada's. */
    put: (id: number, article: object) => telling.send(ada, "PUT", `/api/articles/${id}`, { article }),
    /** The answer of the API to a person. */
    read: async (path: string, person: { id: number }) =>
      (await world.get(path, { key: await world.key(person) })).body,
    /** Writes a comment. */
    async say(writer: { id: number }, articleId: number, markdown = "Nice weave") {
      const body = await render(world.db, world.services.renderPool, markdown);
      const wanted = { writer, target: { article_id: articleId }, body };
      return inTransaction(world.db, (tx) => comments.write(tx, wanted, RULES));
    },
  };
}
