import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../src/http/actor.ts";
import * as keys from "../../src/community/users/keys.ts";
import * as moderation from "../../src/community/users/moderation.ts";
import { cases } from "../setup.ts";
import { snapshot } from "../own-database.ts";
import type { Call, World } from "../world.ts";
import { type Cast, startCast } from "./cast.ts";
import { lift, suspend } from "../../src/community/moderation/acts.ts";
import { describe as describeApi, type Operation, requestFor } from "./operations.ts";

let cast: Cast;
let holdBack: Awaited<ReturnType<typeof startHoldingBack>>;
let writes: Operation[];
beforeAll(async () => {
  cast = await startCast();
  holdBack = await startHoldingBack(cast.world);
  const described = describeApi(cast.world.app).operations.filter(({ method }) => method !== "GET");
  const patches = described.filter(({ method }) => method === "PUT");
  writes = [...described, ...patches.map((operation) => ({ ...operation, method: "PATCH" }))];
});
afterEach(() => cast.world.setNow(undefined));
afterAll(() => cast.world.stop());

const HOUR_MS = 3_600_000;

/** A person with a key, and a request of theirs that would succeed. */
async function prepare(operation: Operation) {
  const isOnPerson = operation.path.startsWith("/api/users/{id}/");
  const author = await cast.world.user({ role: isOnPerson ? "moderator" : "member" });
  const expiresAt = new Date(Date.now() + HOUR_MS);
  const made = await keys.create(
    cast.world.db,
    { userId: author.id, description: "Test", expiresAt },
    new Date(),
  );
  const subject = await cast.make(operation.path, author, "published");
  const call: Call & { key: string } = {
    ...requestFor(operation, { ...subject, author: isOnPerson ? await cast.world.user() : author }),
    key: made.key,
  };
  return { author, keyId: made.id, call };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function uploads(): Promise<string[]> {
  const names = [];
  for await (const { name } of cast.world.context.files.list("uploads")) names.push(name);
  return names;
}

const LOSSES: Record<string, (prepared: Prepared) => Promise<unknown> | void> = {
  "whose owner is suspended": ({ author }) => suspend(operator(cast.world.db), { id: author.id }),
  "whose key is revoked": ({ keyId }) => keys.revoke(cast.world.db, keyId),
  "whose key expires": () => cast.world.setNow(new Date(Date.now() + 2 * HOUR_MS)),
};

/** Every write that is described, so also one that is made tomorrow; a PUT by its other name too. */
describe("every write whose last byte is held back", () => {
  test("is carried out when nothing happens meanwhile", async () => {
    expect(writes.length).toBeGreaterThan(12);
    for (const operation of writes) {
      const { call, keyId } = await prepare(operation);
      const { status } = await (await holdBack(call, keyId)).finish();
      expect([operation.method, operation.path, status < 300]).toEqual([
        operation.method,
        operation.path,
        true,
      ]);
    }
  });

  test.each(Object.entries(LOSSES))("and %s meanwhile is 401 and writes nothing", async (_name, lose) => {
    for (const operation of writes) {
      cast.world.setNow(undefined);
      const prepared = await prepare(operation);
      const held = await holdBack(prepared.call, prepared.keyId);
      await lose(prepared);
      const before = [await snapshot(cast.world.db), await uploads()];
      const { status, head, body } = await held.finish();
      expect([operation.method, operation.path, status]).toEqual([operation.method, operation.path, 401]);
      expect(JSON.parse(body)).toEqual({ error: "unauthorized", status: 401, detail: expect.any(String) });
      expect(head).toContain("no-store");
      expect([await snapshot(cast.world.db), await uploads()]).toEqual(before);
    }
    expect(cast.world.bugs).toEqual([]);
  });

  test("and was answered before isn't answered again to a key that is revoked meanwhile", async () => {
    const operation = writes.find(({ operationId }) => operationId === "createWebhook") as Operation;
    const { call, keyId, author } = await prepare(operation);
    const headers = { "idempotency-key": "once" };
    const first = await (await holdBack({ ...call, headers }, keyId)).finish();
    expect([first.status, first.body.includes("whsec_")]).toEqual([201, true]);
    const { id, key } = await keys.create(
      cast.world.db,
      { userId: author.id, description: "Another" },
      new Date(),
    );
    const held = await holdBack({ ...call, headers, key }, id);
    await keys.revoke(cast.world.db, id);
    const { status, body } = await held.finish();
    expect([status, JSON.parse(body)]).toMatchObject([401, { error: "unauthorized", status: 401 }]);
  });

  test("and whose admin becomes a member meanwhile is judged as a member's", async () => {
    const update = writes.find(({ operationId }) => operationId === "updateArticle") as Operation;
    const { call, author: owner } = await prepare(update);
    const boss = await cast.world.user({ role: "admin" });
    const { id, key } = await keys.create(
      cast.world.db,
      { userId: boss.id, description: "Test" },
      new Date(),
    );
    const held = await holdBack({ ...call, key }, id);
    await moderation.changeRole(operator(cast.world.db), { id: boss.id, role: "member" });
    const before = await snapshot(cast.world.db);
    expect([owner.id === boss.id, (await held.finish()).status]).toEqual([false, 404]);
    expect(await snapshot(cast.world.db)).toEqual(before);
  });
});

describe("what a person may do", () => {
  const update = () => writes.find(({ operationId }) => operationId === "updateArticle") as Operation;

  test.each(["whose owner is suspended", "whose key is revoked"])(
    "is taken away when the write under way has ended: one %s",
    async (name) => {
      const prepared = await prepare(update());
      const { call } = prepared;
      const articleId = Number(call.url.split("/").at(-1));
      const version = async () => {
        const found = cast.world.db.selectFrom("articles").select("version").where("id", "=", articleId);
        return (await found.executeTakeFirstOrThrow()).version;
      };
      const before = await version();
      let hasEnded = false;
      const { write, loss } = await cast.world.db.transaction().execute(async (tx) => {
        await tx.selectFrom("articles").select("id").where("id", "=", articleId).forUpdate().execute();
        const writing = cast.world.request(call).finally(() => (hasEnded = true));
        await expect.poll(() => countWaiting(), { interval: 5 }).toBe(1);
        const losing = Promise.resolve(LOSSES[name]?.(prepared)).then(version);
        await expect.poll(() => countWaiting(), { interval: 5 }).toBe(2);
        expect(hasEnded).toBe(false);
        return { write: writing, loss: losing };
      });
      expect((await write).status).toBe(200);
      // When it has ended, the write is committed.
      expect(await loss).not.toBe(before);
      expect((await cast.world.request(call)).status).toBe(401);
    },
  );

  test("is taken away, too, while they write without a pause, and then nothing more is written", async () => {
    const { call, author } = await prepare(update());
    for (let round = 0; round < cases(10, 2); round += 1) {
      const flooding = new AbortController();
      const flood = Array.from({ length: 6 }, async (_, lane) => {
        for (let number = 0; !flooding.signal.aborted; number += 1) {
          const article = { title: `Round ${round}, ${lane}, ${number}` };
          const { status } = await cast.world.request({ ...call, body: { article } });
          expect([200, 401]).toContain(status);
        }
      });
      await sleep(30);
      await suspend(operator(cast.world.db), { id: author.id });
      const after = await snapshot(cast.world.db);
      await sleep(30);
      flooding.abort();
      await Promise.all(flood);
      expect(await snapshot(cast.world.db)).toEqual(after);
      await lift(operator(cast.world.db), { id: author.id });
    }
    expect(cast.world.bugs).toEqual([]);
  });
});

/** How many statements wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(cast.world.db);
  return rows[0]?.count ?? 0;
}

/** Sends requests over sockets whose last byte waits until a test lets it go. */
async function startHoldingBack(world: World) {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;

  /** Sends all but the last byte, and waits until the server has read the key, which was never used before. */
  return async function holdBack(call: Call & { key: string }, keyId: number) {
    const bytes = bytesOf(call);
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const closed = once(socket, "close");
    socket.write(bytes.subarray(0, -1));
    await expect.poll(() => wasUsed(world, keyId), { interval: 5 }).toBe(true);
    return {
      /** Sends the last byte and gives the answer. */
      async finish() {
        socket.write(bytes.subarray(-1));
        await closed;
        const [head = "", body = ""] = text.split("\r\n\r\n");
        return { status: Number(head.split(" ")[1]), head, body };
      },
    };
  };
}

async function wasUsed({ db }: World, keyId: number): Promise<boolean> {
  const row = db.selectFrom("api_keys").select("last_used_at").where("id", "=", keyId);
  return (await row.executeTakeFirstOrThrow()).last_used_at !== null;
}

/** The request as it goes over the wire. Also one that needs no body has one, so that it can be held back. */
function bytesOf({ method = "GET", url, key, headers = {}, body = {} }: Call): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const all: Record<string, string | number> = {
    host: "x",
    connection: "close",
    "api-key": key ?? "",
    "content-type": "application/json",
    ...headers,
    "content-length": bytes.length,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from([`${method} ${url} HTTP/1.1`, ...lines, "", ""].join("\r\n")), bytes]);
}
