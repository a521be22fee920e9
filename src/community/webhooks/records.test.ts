import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bytesOf, exportOf, importsInto, NOW, user } from "../../../test/community-file.ts";
import { databaseForEach, type OwnDatabase } from "../../../test/own-database.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as deliveryQueries from "./delivery-queries.ts";

const database = databaseForEach();
const site = importsInto(database);
const other = databaseForEach();
const elsewhere = importsInto(other);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const webhook = (name: string, more: object = {}) => ({
  type: "webhook_endpoint",
  user: "lena",
  source: "my-site-builder",
  target_url: `https://hooks.example/${name}`,
  events: ["article_published", "follow_created"],
  ...more,
});

const stored = ({ db }: OwnDatabase) =>
  db.selectFrom("webhook_endpoints").selectAll().orderBy("id").execute();

describe("a webhook endpoint of a community file", () => {
  test("that is there already changes after the import, so that no delivery waits for the import's end", async () => {
    await site.load([user("lena"), webhook("a")]);
    await sql`create table seen (source text)`.execute(database.superuser);
    await sql`create function note_source() returns trigger language plpgsql security definer as $$
      begin insert into seen select source from webhook_endpoints; return null; end $$`.execute(
      database.superuser,
    );
    await sql`create constraint trigger at_commit after insert on users deferrable initially deferred
      for each row execute function note_source()`.execute(database.superuser);
    await site.load([user("ben"), webhook("a", { source: "another" })]);
    const { rows } = await sql<{ source: string }>`select source from seen`.execute(database.superuser);
    expect(rows).toEqual([{ source: "my-site-builder" }]);
    expect(await stored(database)).toMatchObject([{ source: "another" }]);
  });

  test("is stored whole, and gets a secret of its own when it brings none", async () => {
    await site.load([
      user("lena"),
      webhook("a", {
        id: 30,
        user: "Lena",
        events: ["FollowCreated", "follow_created"],
        secret: SECRET,
        created_at: "2026-01-02T03:04:05.678Z",
        disabled_at: "2026-02-01T00:00:00Z",
        disabled_reason: "It was tired.",
      }),
      webhook("b", { target_url: "http://127.0.0.1:4000/" }),
    ]);
    expect(await stored(database)).toMatchObject([
      {
        id: 30,
        user_id: 1,
        source: "my-site-builder",
        target_url: "https://hooks.example/a",
        events: ["follow_created"],
        secret: SECRET,
        created_at: new Date("2026-01-02T03:04:05.678Z"),
        disabled_at: new Date("2026-02-01T00:00:00Z"),
        disabled_reason: "It was tired.",
      },
      {
        id: 31,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        created_at: NOW,
        disabled_at: null,
      },
    ]);
    const { db } = database;
    expect(await db.selectFrom("events").select("id").execute()).toEqual([]);
    expect(await db.selectFrom("notifications").select("id").execute()).toEqual([]);
  });

  test("a second time changes nothing, and what is left out stays", async () => {
    const file = [user("lena"), webhook("a"), webhook("b", { secret: SECRET })];
    await site.load(file);
    const before = await stored(database);
    expect(await site.load(file)).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(await stored(database)).toEqual(before);
    expect(await site.load([webhook("b", { source: "other", events: ["comment_created"] })])).toMatchObject({
      updated: 1,
    });
    expect((await stored(database))[1]).toEqual({
      ...before[1],
      source: "other",
      events: ["comment_created"],
    });
  });

  test("that comes twice ends as it was told last, by whatever spelling of its address", async () => {
    await site.load([user("lena"), webhook("a")]);
    const spelled = { target_url: "HTTPS://hooks.example/a#part" };
    const file = [
      webhook("a", { source: "first" }),
      webhook("a", { source: "first", ...spelled }),
      webhook("a", spelled),
    ];
    expect(await site.load(file)).toMatchObject({ created: 0, updated: 2, unchanged: 1 });
    expect(await stored(database)).toMatchObject([
      { source: "my-site-builder", target_url: "https://hooks.example/a" },
    ]);
  });

  test("leaves other endpoints to everybody while the import goes on", async () => {
    const { db } = database;
    await site.load([user("lena"), webhook("a"), webhook("b")]);
    const same = bytesOf([webhook("a"), webhook("b", { source: "other" })]);
    const last = bytesOf([user("noor")]);
    async function* slowly() {
      yield same;
      // So much that what came before has been written.
      yield bytesOf(Array.from({ length: 300 }, (_, n) => user(`reader_${n}`)));
      const { rows } = await sql`select id from webhook_endpoints for no key update nowait`.execute(db);
      expect(rows).toHaveLength(2);
      yield last;
    }
    expect(await site.loadFrom(slowly())).toMatchObject({ updated: 1 });
    expect(await stored(database)).toMatchObject([{ source: "my-site-builder" }, { source: "other" }]);
  });

  test("that says that it is disabled gives up what waits", async () => {
    await site.load([user("lena"), webhook("a")]);
    const delivery = { endpointId: 1, event: "ping", payload: "{}" } as const;
    await inTransaction(database.db, (tx) => deliveryQueries.insert(tx, delivery, NOW));
    await site.load([webhook("a", { disabled_at: "2026-02-01T00:00:00Z" })]);
    expect((await stored(database))[0]?.disabled_reason).toBe("It was disabled before it was imported.");
    const [shown] = await deliveryQueries.list(database.db, { endpointId: 1, limit: 10 });
    expect(shown?.state).toBe("failed");
  });

  test.each<[object, string]>([
    [{ user: "nobody" }, 'user "nobody" is not a user of the site or of an earlier line'],
    [{ source: " " }, "source can't be blank"],
    [{ target_url: "hooks.example" }, "target_url must be a full https address"],
    [{ events: ["article_eaten"] }, `Events can't include "article_eaten"`],
    [{ events: [] }, "Events can't be blank: give some of article_"],
    [{ secret: "whsec_c2hvcnQ=" }, "secret must be whsec_ and 24 to 64 bytes in base64"],
    [{ secret: SECRET.replace("whsec_", "") }, "secret must be whsec_ and 24 to 64 bytes in base64"],
    [{ disabled_reason: "It was tired." }, "disabled_reason needs disabled_at beside it"],
    [{ previous_secret: SECRET }, "previous_secret is not a known key"],
  ])("with %j is refused, and nothing is kept", async (fields, reason) => {
    const bad = webhook("a", fields);
    await expect(site.load([user("lena"), webhook("b"), bad])).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(reason),
    });
    expect(await stored(database)).toEqual([]);
  });

  test("is refused when its owner has ten, with those that the site has", async () => {
    const ten = Array.from({ length: 10 }, (_, n) => webhook(`${n}`));
    await site.load([user("lena"), user("noor"), ...ten.slice(0, 4)]);
    const more = [...ten, webhook("noors", { user: "noor" }), webhook("one-more")];
    const { bad, created } = await site.load(more, { skipInvalid: true });
    expect([created, bad]).toEqual([
      7,
      [
        {
          line: 12,
          reason: expect.stringContaining("there can be at most 10 webhook endpoints per user"),
        },
      ],
    ]);
  });
});

describe("an export", () => {
  const file = [
    user("lena"),
    webhook("a", { id: 7, secret: SECRET, created_at: "2026-01-02T03:04:05Z" }),
    webhook("b", { disabled_at: "2026-02-01T00:00:00Z", disabled_reason: "It was tired." }),
  ];

  test.each([true, false])("is the same after a round trip, with secrets: %s", async (withSecrets) => {
    await site.load(file);
    const text = await exportOf(database.db, { withSecrets });
    const secret = withSecrets ? `"secret":"${SECRET}",` : "";
    expect(text).toContain(
      `{"type":"webhook_endpoint","user":"lena","source":"my-site-builder","target_url":"https://hooks.example/a","events":["article_published","follow_created"],"id":7,${secret}"created_at":"2026-01-02T03:04:05Z"}\n`,
    );
    expect(text.includes("whsec_")).toBe(withSecrets);
    await elsewhere.load([text.trimEnd()]);
    expect(await exportOf(other.db, { withSecrets })).toBe(text);
  });
});
