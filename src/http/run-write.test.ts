import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../../test/setup.ts";
import { type Call, type Reply, worldForAll } from "../../test/world.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../platform/db/connect.ts";
import { tryLockKey } from "../platform/db/locks.ts";
import { invalid } from "../platform/errors.ts";
import type { App } from "./app-type.ts";
import { caller } from "./auth.ts";
import { createRunWrite, type WriteResult, purgeIdempotencyKeys } from "./run-write.ts";
import { describeApi } from "./openapi.ts";
import { authenticatorOf } from "../app.ts";
import { createServer } from "./server.ts";

const PAIRS = cases(100, 30);
const ROUNDS_AT_ONCE = cases(20, 6);

/** How often a change was begun. */
let begun = 0;

/** A server where things are made: no two of one name, which is looked up before the transaction too. */
async function build(context: Context, services: Services): Promise<App> {
  const app = await createServer(context, services, authenticatorOf(context));
  await describeApi(app);
  const runWrite = createRunWrite(context, services);
  for (const url of ["/api/things", "/api/others"]) {
    app.post(url, { config: { access: "write", idempotent: true } }, async (request, reply) => {
      const body = request.body as { name: string; fail?: string };
      const { name, fail } = body;
      const make = async (tx: Db) => {
        begun++;
        const payload = JSON.stringify({ name, by: caller(request).id });
        const { id } = await tx
          .insertInto("events")
          .values({ type: "thing", payload })
          .returning("id")
          .executeTakeFirstOrThrow();
        if (fail === "bug") throw new Error("a bug");
        if (fail === "cut") await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        if (fail === "refused") throw invalid("Name is refused");
        const location = `https://ink.example/things/${id}`;
        return { status: 201, headers: { location }, body: JSON.stringify({ id, name, at: randomUUID() }) };
      };
      return runWrite(request, reply, {
        verb: async (actor) => {
          if (await isTaken(context, name)) throw invalid("Name has already been taken");
          return actor.run(make);
        },
        show: (made: WriteResult) => made,
      });
    });
  }
  return app;
}

const isTaken = async ({ db }: Context, name: string) => {
  const taken = await sql`select 1 from events where payload ->> 'name' = ${name}`.execute(db.main);
  return taken.rows.length > 0;
};

let key: string;
let otherKey: string;
const world = worldForAll({ build });
beforeAll(async () => {
  key = await world.key(await world.user());
  otherKey = await world.key(await world.user());
});
beforeEach(async () => {
  begun = 0;
  await world.db.deleteFrom("events").execute();
  await world.db.deleteFrom("idempotency_keys").execute();
});

const countThings = async () => (await world.db.selectFrom("events").select("id").execute()).length;

function post(
  idempotencyKey: string | undefined,
  body: object | string,
  call: Partial<Call> = {},
): Promise<Reply> {
  const headers: Record<string, string> = { "content-type": "application/json", ...call.headers };
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return world.request({ method: "POST", url: "/api/things", key, ...call, headers, body: text });
}

describe("a request with an Idempotency-Key", () => {
  test("that is sent again is answered as before, to the byte, and does nothing", async () => {
    for (let round = 0; round < PAIRS; round++) {
      const idempotencyKey = createHash("sha512").update(String(round)).digest("hex").repeat(2).slice(0, 255);
      const body = { name: `Thing ${round} \u{1f9f6}` };
      const first = await post(idempotencyKey, body);
      const second = await post(idempotencyKey, body);
      expect(first.status).toBe(201);
      expect(first.headers).not.toHaveProperty("idempotent-replayed");
      expect([second.status, second.text]).toEqual([201, first.text]);
      const { "x-request-id": _, date: __, ...same } = first.headers;
      expect(second.headers).toMatchObject({ ...same, "idempotent-replayed": "true" });
    }
    expect([begun, await countThings()]).toEqual([PAIRS, PAIRS]);
  });

  test("is known by every byte of its body and by its address", async () => {
    await post("one", { name: "a" });
    const sentence = "This Idempotency-Key was sent with another request: use a new key for a new request.";
    for (const [body, call] of [
      ['{"name":"b"}', {}],
      ['{"name": "a"}', {}],
      ['{"name":"a"}', { url: "/api/others" }],
      ['{"name":"a"}', { url: "/api/things?x=1" }],
    ] as const) {
      const reply = await post("one", body, call);
      expect(reply).toMatchObject({ status: 422, body: { error: sentence, status: 422 } });
    }
    expect([begun, await countThings()]).toEqual([1, 1]);
  });

  test("knows nothing of other people's keys", async () => {
    const mine = await post("shared", { name: "mine" });
    const theirs = await post("shared", { name: "theirs" }, { key: otherKey });
    expect(theirs.status).toBe(201);
    expect((await post("shared", { name: "mine" })).text).toBe(mine.text);
    expect((await post("shared", { name: "theirs" }, { key: otherKey })).text).toBe(theirs.text);
    expect(await countThings()).toBe(2);
  });

  test("of an account is the same with another key of that account", async () => {
    const user = await world.user();
    const [one, two] = [await world.key(user), await world.key(user)];
    const first = await post("account", { name: "a" }, { key: one });
    expect((await post("account", { name: "a" }, { key: two })).text).toBe(first.text);
  });

  test.each(["", "x".repeat(256), "ö", "a\tb"])("is refused when the key is %j", async (idempotencyKey) => {
    const reply = await post(idempotencyKey, { name: "a" });
    const error = "Idempotency-Key must be 1 to 255 printable ASCII characters";
    expect(reply).toMatchObject({ status: 422, body: { error } });
    expect([begun, await countThings()]).toEqual([0, 0]);
  });

  test("that was refused, or met a bug, left nothing behind and is done when it is sent again", async () => {
    for (const fail of ["refused", "bug"]) {
      begun = 0;
      const wrong = { name: fail, fail };
      expect((await post(fail, wrong)).status).toBe(fail === "bug" ? 500 : 422);
      expect((await post(fail, wrong)).status).toBe(fail === "bug" ? 500 : 422);
      expect([begun, await countThings()]).toEqual([2, 0]);
      expect(await world.db.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
    }
    expect((await post("refused", { name: "right" })).status).toBe(201);
    world.bugs.length = 0;
  });

  test("whose connection breaks on the way left nothing behind and is done when it is sent again", async () => {
    const body = { name: "Cut", fail: "cut" };
    expect(await post("cut", body)).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(await countThings()).toBe(0);
    expect(await world.db.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
    expect((await post("cut", { name: "Cut" })).status).toBe(201);
    expect(await countThings()).toBe(1);
    expect(world.bugs).toEqual([]);
  });

  test("32 times at once is done once; the others get the same answer or are told to come back", async () => {
    for (let round = 0; round < ROUNDS_AT_ONCE; round++) {
      const body = { name: `At once ${round}` };
      const replies = await Promise.all(Array.from({ length: 32 }, () => post(`at once ${round}`, body)));
      const made = replies.filter(({ status }) => status === 201);
      const busy = replies.filter(({ status }) => status === 409);
      expect(made.length + busy.length).toBe(32);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const reply of busy) {
        const error = "A request with this Idempotency-Key is still running: try again in 1 second.";
        expect(reply).toMatchObject({ headers: { "retry-after": "1" }, body: { error, status: 409 } });
      }
      expect((await post(`at once ${round}`, body)).text).toBe(made[0]?.text);
    }
    expect([begun, await countThings()]).toEqual([ROUNDS_AT_ONCE, ROUNDS_AT_ONCE]);
    expect(world.bugs).toEqual([]);
  });

  test("is asked to come back while the first one runs in another process", async () => {
    const { id } = await world.db
      .selectFrom("users")
      .select("id")
      .orderBy("id")
      .limit(1)
      .executeTakeFirstOrThrow();
    await world.db.transaction().execute(async (tx) => {
      expect(await tryLockKey(tx, id, "elsewhere")).toBe(true);
      expect((await post("elsewhere", { name: "a" })).status).toBe(409);
    });
    expect((await post("elsewhere", { name: "a" })).status).toBe(201);
  });
});

test("without an Idempotency-Key nothing is remembered", async () => {
  expect((await post(undefined, { name: "a" })).status).toBe(201);
  expect((await post(undefined, { name: "a" })).status).toBe(422);
  expect((await post(undefined, { name: "b" })).status).toBe(201);
  expect(await world.db.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
});

test("an answer is kept for 24 hours, and forgotten soon after", async () => {
  await post("old", { name: "old" });
  await post("young", { name: "young" });
  await age("old", 25.1);
  await age("young", 24);
  expect(await purgeIdempotencyKeys(world.db)).toBe(1);
  expect((await post("young", { name: "young" })).headers).toHaveProperty("idempotent-replayed");
  expect((await post("old", { name: "new" })).headers).not.toHaveProperty("idempotent-replayed");
});

async function age(idempotencyKey: string, hours: number): Promise<void> {
  await sql`
    update idempotency_keys set created_at = now() - ${hours} * interval '1 hour'
    where key = ${idempotencyKey}`.execute(world.db);
}
