import { Readable, Writable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import { EXPORTED, NOT_EXPORTED, SITE } from "../../../test/records.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as settings from "../../platform/settings/settings.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";
import { exportFile, type WriteOptions } from "./export.ts";
import { importFile } from "./import.ts";
import { RECORD_TYPES } from "./types.ts";

const NOW = new Date("2026-03-02T09:15:00.500Z");
const renderPool = createRenderPool();
const databases: Awaited<ReturnType<typeof createDatabase>>[] = [];

async function emptySite(): Promise<Db> {
  const database = await createDatabase();
  databases.push(database);
  return database.connection.db;
}

async function fileOf(db: Db, options?: WriteOptions): Promise<string> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      setImmediate(done);
    },
  });
  await exportFile(db, sink, options);
  return Buffer.concat(chunks).toString();
}

const fileWith = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const load = (db: Db, file: string) => importFile(db, Readable.from([file]), { renderPool, now: NOW });

const changeMuch = (site: Db) =>
  Promise.all([
    sql`update users set name = 'changed'`.execute(site),
    sql`insert into tags (name) values ('late')`.execute(site),
  ]);

/** The tag "tools" comes with an article. */
const RECORDS = SITE.length + 1;

let db: Db;
beforeAll(async () => {
  db = await emptySite();
  await load(db, fileWith(SITE));
});
afterAll(async () => {
  await renderPool.close();
  for (const { drop } of databases) await drop();
});

describe("an export", () => {
  test("imported into an empty site and exported again is the same file", async () => {
    const file = await fileOf(db, { withSecrets: true });
    const copy = await emptySite();
    expect(await load(copy, file)).toMatchObject({ updated: 0, unchanged: 0, skipped: 0 });
    expect(await fileOf(copy, { withSecrets: true })).toBe(file);
    expect(file.trimEnd().split("\n")).toHaveLength(RECORDS);
  });

  test("imported where it comes from changes nothing", async () => {
    const file = await fileOf(db, { withSecrets: true });
    expect(await load(db, file)).toMatchObject({ created: 0, updated: 0, unchanged: RECORDS });
  });

  test("holds no secrets unless they are asked for, and then as hashes where that is possible", async () => {
    const plain = await fileOf(db);
    expect(plain).not.toMatch(/argon2|abababab|password|api_keys|totp|GEZDGNBV/);
    const whole = await fileOf(db, { withSecrets: true });
    expect(whole).toContain("$argon2id$");
    expect(whole).toContain(`"sha256":"${"ab".repeat(32)}","description":"a"`);
    expect(whole).toContain('"totp_secret":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"');
    expect(whole).not.toMatch(/correct horse|brought from elsewhere/);
  });

  test("has a fixed order and no keys that say nothing", async () => {
    const lines = (await fileOf(db)).trimEnd().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      '{"type":"setting","key":"tagline","value":"Bring it broken"}',
      '{"type":"setting","key":"write_burst","value":7}',
      '{"type":"user","username":"zoe","name":"Zoé ✂️","id":9,"role":"moderator",' +
        '"summary":"One\\ntwo \u2028 three","created_at":"2026-03-02T09:15:00.500Z"}',
      '{"type":"user","username":"lena","name":"Lena","id":10,"email":"lena@example.org",' +
        '"created_at":"0001-02-03T04:05:06.007Z","suspended":true}',
    ]);
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect([...new Set(types)]).toEqual(RECORD_TYPES.map(({ type }) => type));
  });

  test("holds former paths in their order, without those that an article has come back to", async () => {
    const site = await emptySite();
    await load(site, fileWith(SITE));
    await sql`update articles set organization_id = null where slug = 'first-loom'`.execute(site);
    expect(await fileOf(site, { only: ["retired_path"] })).toBe(
      '{"type":"retired_path","path":"/lena/later","article":"later"}\n' +
        '{"type":"retired_path","path":"/zoe/first-loom","article":"first-loom"}\n',
    );
  });

  test("can be of some types only", async () => {
    const lines = (await fileOf(db, { only: ["tag", "setting"] })).trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    await expect(fileOf(db, { only: ["nonsense"] })).rejects.toThrow("--only can't name");
  });

  test("is of one moment, whatever is written meanwhile", async () => {
    const site = await emptySite();
    await settings.set(site, "tagline", "before");
    let isFirst = true;
    const chunks: string[] = [];
    const people = Array.from({ length: 2_000 }, (_, n) => {
      return `${JSON.stringify({ type: "user", username: `person_${n}`, name: "x".repeat(100) })}\n`;
    });
    await load(site, people.join(""));
    const sink = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk.toString());
        if (!isFirst) return done();
        isFirst = false;
        void changeMuch(site).finally(() => done());
      },
    });
    expect(await exportFile(site, sink)).toBe(2_001);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join("")).not.toMatch(/changed|late/);
    expect(await fileOf(site)).toMatch(/changed[^]*late/);
  });

  test("ends with the fault of its sink", async () => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done(new Error("no space left")) });
    await expect(exportFile(db, sink)).rejects.toThrow("no space left");
    expect((await fileOf(db)).length).toBeGreaterThan(0);
  });

  test("covers every table of the database, or says why not", async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      order by relname`.execute(db);
    const tables = rows.map(({ name }) => name);
    expect(Object.keys({ ...EXPORTED, ...NOT_EXPORTED }).toSorted()).toEqual(tables);
    const types = new Set(RECORD_TYPES.map(({ type }) => type));
    expect(new Set(Object.values(EXPORTED))).toEqual(types);
    for (const reason of Object.values(NOT_EXPORTED)) expect(reason).not.toBe("");
  });
});
