import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { NEVER_STORED, say, USERNAME } from "../../../test/canary-records.ts";
import { allSaid, filesIn, fill, giveLogo, wordsIn } from "../../../test/canary.ts";
import { faultsIn } from "../../../test/health.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";
import { lock } from "../../platform/db/locks.ts";
import { forgetTraces } from "./deleting.ts";

describe("of a person with a word of their own in every field, who is deleted", () => {
  let name: string;
  let cast: Awaited<ReturnType<typeof fill>>;
  let secrets: string[];
  let before: Map<string, string[]>;
  let filesBefore: Awaited<ReturnType<typeof filesIn>>;
  const world = worldForAll();
  beforeAll(async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    name = rows[0]?.name ?? "";
    cast = await fill(world);
  });
  const inkstone = commandsWith(() => ({
    DATABASE_URL: urlOf(name),
    DATA_DIR: world.context.config.dataDir,
    BASE_URL: world.context.config.baseUrl,
  }));

  async function articlesOf(word: string): Promise<number> {
    await world.forget();
    const { vocabulary } = await world.services.searchMemory.current(world.db, world.services.cache);
    return vocabulary.articlesOf(word);
  }

  test("all words are there at first, but those that nothing stores", async () => {
    const key = await inkstone(
      "key",
      "create",
      "--user",
      USERNAME,
      "--description",
      say("commandkey"),
      "--json",
    );
    await inkstone("user", "edit", USERNAME, "--location", say("commandplace"));
    await giveLogo(world, say("group"));
    const { api_key: plain } = JSON.parse(key.out) as { api_key: string };
    const endpoints = world.db.selectFrom("webhook_endpoints").where("user_id", "=", cast.canary.id);
    secrets = [
      createHash("sha256").update(plain).digest("hex"),
      ...(await endpoints.select("secret").execute()).map(({ secret }) => secret),
    ];
    expect(await articlesOf(say("body"))).toBe(1);
    before = await wordsIn(world.db, secrets);
    filesBefore = await filesIn(world);
    const replaced = [say("location"), say("logo")];
    const expected = [...allSaid(), say("commandkey"), say("commandplace"), ...secrets];
    const missing = expected.filter((word) => !before.has(word));
    expect(missing.toSorted()).toEqual([...NEVER_STORED, ...replaced].toSorted());
    expect(expected.length - missing.length).toBeGreaterThan(60);
    // An uploaded image, three sizes of the organization's and the card of an article.
    expect(filesBefore.map(({ words }) => words)).toEqual(filesBefore.map(() => []));
    expect(filesBefore.length).toBeGreaterThan(4);
    for (const table of [
      "webhook_deliveries",
      "idempotency_keys",
      "events",
      "search_words",
      "tags",
      "page_views",
    ])
      expect([...before.values()].flat()).toContain(`public.${table}`);
  });

  test("nothing is left in any table or file but what the operator's settings say", async () => {
    const gone = await inkstone("user", "delete", USERNAME, "--yes", "--json");
    expect(JSON.parse(gone.out)).toMatchObject({
      organizations: 1,
      settings: ["about_page", "contact_email"],
    });
    expect(Object.fromEntries(await wordsIn(world.db, secrets))).toEqual({
      [say("mail")]: ["public.settings"],
      [USERNAME]: ["public.settings"],
    });
    for (const key of ["contact_email", "about_page"]) await inkstone("settings", "set", key, "");
    expect(await wordsIn(world.db, secrets)).toEqual(new Map());
    expect(await filesIn(world)).toEqual([]);
  });

  test("the site agrees with itself, and other people's things are there", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
    expect((await world.get("/api/tags")).text).toContain("wool");
    expect((await world.get("/api/organizations/guild")).status).toBe(200);
    expect(
      (
        await world.get(`/api/analytics/totals?article_id=${cast.byBob.id}`, {
          key: await world.key(cast.bob),
        })
      ).body,
    ).toMatchObject({ page_views: { total: 2 } });
    const kept = await world.db.selectFrom("webhook_deliveries").select("event").execute();
    expect(kept).toEqual([]);
  });

  test("answers keep their places under comments without a text", async () => {
    const { body } = await world.get(`/api/comments?a_id=${cast.byBob.id}`);
    expect(body).toMatchObject([
      { deleted: true, children: [{ body_html: expect.stringContaining("An answer") }] },
      { deleted: true, children: [] },
      { deleted: true, children: [] },
    ]);
    expect(JSON.stringify(body)).not.toContain("zcanary");
  });

  test("no process corrects a misspelt word to theirs any more, and still others", async () => {
    expect(await articlesOf(say("body"))).toBe(0);
    expect(await articlesOf("wool")).toBe(1);
    const { vocabulary } = await world.services.searchMemory.current(world.db, world.services.cache);
    // Not even as a word without articles.
    expect(vocabulary.near(`${say("body")}u`, 2, 0).map(({ word }) => word)).not.toContain(say("body"));
  });
});

describe("what a worker has still to forget of a deleted person", () => {
  const world = worldForAll();

  test("is deliveries that were on their way, but no other person's", async () => {
    const bob = await world.user({ username: "bob" });
    const endpoint = await world.webhook(bob);
    const payloads = [
      '{"user":{"user_id":7}}',
      '{"user":{"user_id":7,"a":1}}',
      '{"user_id":77}',
      '{"text":"\\"user_id\\":7,"}',
    ];
    for (const payload of payloads) await world.delivery(endpoint, { payload });
    const store = { db: world.db, files: world.context.files };
    await forgetTraces(store, { userId: 7, names: [] });
    await forgetTraces(store, { userId: 7, names: [] });
    const kept = await world.db.selectFrom("webhook_deliveries").select("payload").orderBy("id").execute();
    expect(kept.map(({ payload }) => payload)).toEqual(payloads.slice(2));
  });

  test("leaves files to the job while a backup runs, which removes them after it", async () => {
    const { files } = world.context;
    const picture = "uploads/0a.png";
    await files.put(picture, Buffer.from("a picture"));
    const store = { db: world.db, files };
    const forget = () => forgetTraces(store, { userId: 7, names: [picture] });
    await world.db.transaction().execute(async (tx) => {
      await lock(tx, "besideBackup");
      expect(await forget()).toBe(false);
    });
    expect(await filesIn(world)).toHaveLength(1);
    expect(await forget()).toBe(true);
    expect(await filesIn(world)).toEqual([]);
  });
});
