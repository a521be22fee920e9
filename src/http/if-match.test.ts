import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import type { Db } from "../platform/db/connect.ts";
import { ifMatch, privateAnswer } from "./answers.ts";
import { createRunWrite, type WriteResult } from "./run-write.ts";

const BODY = (value: unknown) => JSON.stringify({ value: Number(value), microblog_username: "lena" });

let world: World;
beforeAll(async () => {
  const build = serverWith((app, context, services) => {
    app.get("/api/count", { config: { access: "key" } }, async (request, reply) => {
      const { value } = await app.db.main
        .selectFrom("published_counts")
        .select("delta as value")
        .executeTakeFirstOrThrow();
      return privateAnswer(request, reply, { body: BODY(value) });
    });
    const runWrite = createRunWrite(context, services);
    app.put("/api/count", { config: { access: "write", versioned: true } }, async (request, reply) => {
      const raise = async (tx: Db) => {
        const { value } = await tx
          .selectFrom("published_counts")
          .select("delta as value")
          .forUpdate()
          .executeTakeFirstOrThrow();
        ifMatch(request, BODY)?.(value);
        const raised = value + 1;
        await tx.updateTable("published_counts").set({ delta: raised }).execute();
        const body = JSON.stringify({ ...JSON.parse(BODY(raised)), warnings: ["It was raised."] });
        return { status: 200, body, representation: BODY(raised) };
      };
      return runWrite(request, reply, {
        verb: (actor) => actor.run(raise),
        show: (made: WriteResult) => made,
      });
    });
  });
  world = await startWorld({ build });
});
afterAll(() => world.stop());

const read = (headers = {}) => world.get("/api/count", { key: "member-key", headers });
const put = (ifMatch?: string, headers = {}) =>
  world.request({
    method: "PUT",
    url: "/api/count",
    key: "member-key",
    headers: { ...headers, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) },
  });
const versionOf = ({ headers }: { headers: object }) => String((headers as { etag?: string }).etag);

describe("a change with If-Match", () => {
  test("is made when the version is the present one, however it is written", async () => {
    for (const spell of [
      (etag: string) => etag,
      (etag: string) => etag.replace(/^W\//, ""),
      (etag: string) => `"other" , ${etag}`,
      () => "*",
    ]) {
      expect((await put(spell(versionOf(await read())))).status).toBe(200);
    }
  });

  test("is refused when it isn't, and changes nothing", async () => {
    const before = await read();
    for (const version of ['"other"', 'W/"other"', "", versionOf(before).slice(0, -2)]) {
      const detail = expect.stringContaining("read it again") as string;
      const body = { error: "precondition failed", status: 412, detail };
      expect(await put(version)).toMatchObject({ status: 412, body });
    }
    expect((await read()).text).toBe(before.text);
  });

  test("answers with the version that a read shows next", async () => {
    const reply = await put(versionOf(await read()));
    expect(reply.body).toHaveProperty("warnings");
    expect(versionOf(reply)).toBe(versionOf(await read()));
    expect((await put(versionOf(reply))).status).toBe(200);
  });

  test("takes the version that a client written for Forem was shown", async () => {
    const headers = { accept: "application/vnd.forem.api-v1+json" };
    const before = await read(headers);
    expect(before.body).toHaveProperty("twitter_username");
    const reply = await put(versionOf(before), headers);
    expect(reply.status).toBe(200);
    expect(versionOf(reply)).toBe(versionOf(await read(headers)));
  });

  test("is made by exactly one of 16 who read the same", async () => {
    for (let round = 0; round < 10; round++) {
      const version = versionOf(await read());
      const replies = await Promise.all(Array.from({ length: 16 }, () => put(version)));
      const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
      expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 412)]);
    }
  });
});

test("without If-Match the last one wins", async () => {
  const replies = await Promise.all(Array.from({ length: 4 }, () => put()));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
