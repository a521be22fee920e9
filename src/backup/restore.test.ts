import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { backupOf, changed, packed, rowsOf, type TarEntry, unpack } from "../../test/restores.ts";
import { bytesOf } from "../../test/community-file.ts";
import { createDatabase, ownerTo } from "../../test/database.ts";
import { SITE } from "../../test/every-record.ts";
import { commandsWith } from "../../test/own-commands.ts";
import { type Outcome, urlOf } from "../../test/program.ts";
import { BASE_URL, startWorld, type World } from "../../test/world.ts";
import { importFile } from "../community-file/import.ts";
import { connect, type Db } from "../db/connect.ts";
import { migrate, schemaState } from "../db/migrate.ts";
import { ownMigrations } from "../db/migrations.ts";
import { showProgram } from "../db/sessions.ts";
import { createFiles } from "../files/files.ts";
import * as keys from "../users/keys.ts";
import { CHECKSUMS, type Manifest, MANIFEST } from "./format.ts";

/** A database without tables; undefined is one that is set up. */
const EMPTY = "template1";

let world: World;
let key: string;
let tar: Buffer;
let folder: string;
let run = 0;

beforeAll(async () => {
  world = await startWorld();
  const { db, services, context } = world;
  const options = { renderPool: services.renderPool, now: new Date() };
  await importFile(db, Readable.from([bytesOf(SITE)]), options);
  const zoe = await db
    .selectFrom("users")
    .select("id")
    .where("username", "=", "zoe")
    .executeTakeFirstOrThrow();
  key = await world.key(zoe);
  await sql`select graphile_worker.add_job('render-again', '{}'::json)`.execute(db);
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`.execute(db);
  for (const name of FILES) await context.files.put(name, contentOf(name));
  tar = await backupOf({ name: await nameOf(), db, files: context.files });
  folder = await mkdtemp(join(tmpdir(), "inkstone-restore-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world.stop();
});

const FILES = Array.from({ length: 20 }, (_, index) => `uploads/${String(index).padStart(32, "0")}.png`);
const [FIRST_FILE = ""] = FILES;
const contentOf = (name: string) => Buffer.from(name.repeat(1_000));

const nameOf = async () =>
  (await sql<{ name: string }>`select current_database() as name`.execute(world.db)).rows[0]?.name ?? "";

/** A site to restore into, new for every test, and the commands that run on it. */
function targets(template?: string) {
  let target: Awaited<ReturnType<typeof createDatabase>>;
  let dataDir: string;
  beforeEach(async () => {
    target = await createDatabase(template);
    dataDir = join(folder, `data-${++run}`);
  });
  afterEach(() => target.drop());
  const inkstone = commandsWith(() => ({
    DATABASE_URL: urlOf(target.name),
    DATABASE_OWNER_URL: urlOf(target.name, ownerTo(target.name)),
    DATA_DIR: dataDir,
    BASE_URL,
  }));
  return {
    inkstone,
    get db() {
      return target.superuser;
    },
    get pool() {
      return target.connection.pool;
    },
    get files() {
      return createFiles(join(dataDir, "files"));
    },
    async restore(bytes: Buffer, ...options: string[]) {
      const file = join(folder, "site.tar");
      await writeFile(file, bytes);
      return inkstone("restore", file, ...options);
    },
    /** Tables and schemas of the database, and files. */
    async whatIsThere() {
      const { rows } = await sql<{ name: string }>`
        select relname::text as name from pg_class
        where relnamespace::regnamespace::text in ('public', 'graphile_worker') and relkind in ('r', 'p')
        union all select nspname from pg_namespace where nspname !~ '^(pg_|information_schema)'
        order by name`.execute(target.superuser);
      const files: string[] = [];
      for await (const { name } of this.files.list()) files.push(name);
      return { database: rows.map(({ name }) => name), files: files.toSorted() };
    },
  };
}
const NOTHING = { database: ["public"], files: [] };

describe("inkstone restore into an empty database", () => {
  const site = targets(EMPTY);

  test("brings back every row, file and key as a plain role, checks them, and frees the queue", async () => {
    const { "public.settings": settingsBefore, ...rowsBefore } = await rowsOf(world.superuser);
    const { code, out, err } = await site.restore(tar);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Restored \d+ rows of \d+ tables, and 20 files \(0 MB\), in [\d.]+ s\.\n/);
    expect(out).toContain("All checks of `inkstone doctor --verify` passed.");
    const { "public.settings": settings = "", ...rows } = await rowsOf(site.db);
    expect(rows).toEqual(rowsBefore);
    // One more, that holds what would leave the site.
    expect(Number.parseInt(settings, 10)).toBe(Number.parseInt(settingsBefore ?? "", 10) + 1);
    expect((await site.whatIsThere()).files).toEqual(FILES);
    expect(await keys.authenticate(site.db, key, new Date())).toMatchObject({ id: 9 });
    const locked = sql`select from graphile_worker._private_jobs where locked_at is not null`;
    expect((await locked.execute(site.db)).rows).toEqual([]);
  });

  test("gives back the keys, indexes, triggers and numbers of the tables", async () => {
    await site.restore(tar, "--no-verify");
    const shape = (db: Db) =>
      sql`
        select pg_get_constraintdef(oid) as text, conrelid::regclass::text as holder from pg_constraint
        where connamespace = 'public'::regnamespace
        union all
        select pg_get_indexdef(indexrelid), indrelid::regclass::text from pg_index
        join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
        union all
        select concat(pg_get_triggerdef(oid), tgenabled), tgrelid::regclass::text from pg_trigger
        where not tgisinternal
        union all select last_value::text, sequencename from pg_sequences where schemaname = 'public'
        order by holder, text`.execute(db);
    expect((await shape(site.db)).rows).toEqual((await shape(world.superuser)).rows);
  });

  test("refuses the database of another program", async () => {
    await sql`create table accounts (id int)`.execute(site.db);
    const { code, err } = await site.restore(tar);
    const words = "The database has 1 table already, such as accounts: restore into an empty one";
    expect([code, err]).toEqual([1, `inkstone: ${words}, by another DATA_DIR or DATABASE_URL.\n`]);
  });

  test("refuses a file store that has another file of a name, and removes none that was there", async () => {
    await site.files.put(FIRST_FILE, Buffer.from("another"));
    const { code, err } = await site.restore(tar);
    expect([code, err]).toEqual([
      1,
      `inkstone: The file store has another ${FIRST_FILE} already: restore into an empty one, by another DATA_DIR or bucket.\n`,
    ]);
    expect(await site.whatIsThere()).toEqual({ ...NOTHING, files: [FIRST_FILE] });
  });

  test("uses files that are there already", async () => {
    await site.files.put(FIRST_FILE, contentOf(FIRST_FILE));
    expect(await site.restore(tar, "--no-verify")).toMatchObject({ code: 0 });
    expect((await site.whatIsThere()).files).toEqual(FILES);
  });

  test("leaves the files out that the backup leaves out, and says so", async () => {
    const { db, superuser } = world;
    const { out } = await site.restore(await backupOf({ name: await nameOf(), db }), "--no-verify");
    expect(out).toContain("no files, as --without-files wanted, in ");
    expect(out).toContain("The backup has no files: copy DATA_DIR/files or the bucket too.");
    expect((await rowsOf(site.db))["public.articles"]).toBe((await rowsOf(superuser))["public.articles"]);
  });

  test("has texts rendered again that link to the address of before, and counts them", async () => {
    const moved = await changed(tar, {
      manifest: (manifest) => ({ ...manifest, baseUrl: "https://lena.example" }),
    });
    // No body has it.
    expect((await site.restore(moved, "--no-verify", "--json")).out).toContain('"rendered":0');
  });
});

describe("inkstone restore into a site that is set up", () => {
  const site = targets();

  test("fills it, and its own rows give way", async () => {
    await sql`insert into settings (key, value) values ('tagline', '"Mine"')`.execute(site.db);
    expect(await site.restore(tar, "--no-verify")).toMatchObject({ code: 0 });
    const { rows } = await sql`select value from settings where key = 'tagline'`.execute(site.db);
    expect(rows).toEqual([{ value: "Bring it broken" }]);
  });

  test("refuses one with people or articles, and says what is there", async () => {
    await site.restore(tar, "--no-verify");
    const before = await rowsOf(site.db);
    expect(await site.restore(tar)).toEqual({
      code: 1,
      out: "",
      err: "inkstone: The site has 2 users and 4 articles already: restore into an empty one, by another DATA_DIR or DATABASE_URL.\n",
    });
    expect(await rowsOf(site.db)).toEqual(before);
  });

  test("refuses one on which a server runs", async () => {
    const end = await showProgram(site.pool, 9);
    expect(await site.restore(tar)).toMatchObject({
      code: 1,
      err: "inkstone: A server runs on this database: stop it first.\n",
    });
    end?.();
  });

  test("fills a table of another owner by inserts alone", async () => {
    const make = sql`create table audit (note text); grant select, insert on audit to public`;
    await make.execute(world.superuser);
    await sql`insert into audit values ('a'), ('b')`.execute(world.superuser);
    const withAudit = await backupOf({ name: await nameOf(), db: world.db });
    await sql`drop table audit`.execute(world.superuser);
    await make.execute(site.db);
    expect(await site.restore(withAudit, "--no-verify")).toMatchObject({ code: 0 });
    const { rows } = await sql`select note from audit order by note`.execute(site.db);
    expect(rows).toEqual([{ note: "a" }, { note: "b" }]);
  });

  test("refuses rows of a table that it hasn't", async () => {
    const withTable = await changed(tar, {
      manifest: ({ tables, ...manifest }) => ({
        ...manifest,
        tables: [...tables, { schema: "public", name: "moods", columns: ["id"] }],
      }),
    });
    const { code, err } = await site.restore(withTable);
    expect(code).toBe(1);
    expect(err).toContain("has rows of public.moods, which no migration of Inkstone makes");
    expect(await rowsOf(site.db)).toMatchObject({ "public.users": expect.stringMatching(/^0 /) });
  });
});

/** A backup of the schema before the last migration. */
async function olderBackup(): Promise<Buffer> {
  const migrations = (await ownMigrations()).slice(0, -1);
  const older = await createDatabase(EMPTY);
  const owner = connect({ connection: ownerTo(older.name), poolSize: 4 });
  try {
    await migrate(owner, { known: migrations });
    await sql`
      with handle as (insert into handles (username, kind) values ('old', 'user') returning *)
      insert into users (username, name) select username, 'Old' from handle`.execute(owner.db);
    return await backupOf({ name: older.name, db: owner.db });
  } finally {
    await owner.db.destroy();
    await older.drop();
  }
}

describe.each([
  ["an empty database", EMPTY],
  ["a newer schema", undefined],
])("a backup of an older version, restored into %s", (_, template) => {
  const site = targets(template);

  test("gets the schema of before, its rows, and then the newer migrations", async () => {
    const [last] = (await ownMigrations()).slice(-1);
    const { code, out } = await site.restore(await olderBackup());
    expect(code).toBe(0);
    expect(out).toContain(`Updated the schema: ${last?.name}.\n`);
    expect(await schemaState(site.db)).toBe("current");
    const { rows } = await sql`select name from users`.execute(site.db);
    expect(rows).toEqual([{ name: "Old" }]);
  });
});

type Damage = (entries: TarEntry[]) => TarEntry[] | Promise<Buffer>;

const entryAt = (entries: TarEntry[], index: number) => entries.at(index) as TarEntry;
const without =
  (name: string): Damage =>
  (entries) =>
    entries.filter((entry) => entry.name !== name);
const withManifest = (change: (manifest: Manifest) => unknown) => () => changed(tar, { manifest: change });

const USERS = "tables/public.users.0001.gz";

const DAMAGES: Record<string, [damage: Damage, sentence: string]> = {
  "no tar": [async () => Buffer.alloc(5_000, "x"), "is damaged (Invalid tar header"],
  "an empty file": [async () => Buffer.alloc(0), "is no backup of Inkstone."],
  "another tar": [(entries) => entries.slice(1), "is no backup of Inkstone."],
  "a cut file": [async () => tar.subarray(0, tar.length / 2), "ends in the middle: it was cut."],
  "a file cut between two entries": [
    (entries) => entries.slice(0, 5),
    "is no backup: its last entry is missing.",
  ],
  "a file without its last entry": [without(CHECKSUMS), "is no backup: its last entry is missing."],
  "a file without a table": [without(USERS), "is not the entry that stood there."],
  "a file without an upload": [without(`files/${FIRST_FILE}`), "is not the entry that stood there."],
  "a changed upload": [
    (entries) =>
      entries.map((entry) =>
        entry.name === `files/${FIRST_FILE}` ? { ...entry, content: Buffer.from("changed") } : entry,
      ),
    `is damaged: the checksum of files/${FIRST_FILE} is wrong.`,
  ],
  "a damaged table": [
    (entries) =>
      entries.map((entry) =>
        entry.name === USERS
          ? { ...entry, content: Buffer.concat([entry.content.subarray(0, -9), Buffer.alloc(9)]) }
          : entry,
      ),
    `is damaged (${USERS}: `,
  ],
  "a table that PostgreSQL refuses": [
    () =>
      changed(tar, {
        entries: (all) =>
          all.map((entry) => (entry.name === USERS ? { ...entry, content: gzipSync("no row\n") } : entry)),
      }),
    "is damaged: PostgreSQL refuses public.users (",
  ],
  "a table that has lost its rows": [
    () =>
      changed(tar, {
        entries: (all) =>
          all.map((entry) => (entry.name === USERS ? { ...entry, content: gzipSync("") } : entry)),
      }),
    "is damaged: it lacks rows of public.users.",
  ],
  "a part that is missing": [
    (entries) =>
      entries.map((entry) =>
        entry.name === USERS ? { ...entry, name: USERS.replace("0001", "0002") } : entry,
      ),
    "is damaged: a part before tables/public.users.0002.gz is missing.",
  ],
  "another entry": [
    (entries) => [
      ...entries.slice(0, 3),
      { name: "notes.txt", content: Buffer.from("x") },
      ...entries.slice(3),
    ],
    'is damaged: the entry "notes.txt" has no place in it.',
  ],
  "a path out of the store": [
    (entries) => [
      ...entries.slice(0, -1),
      { name: "files/../../escaped.png", content: Buffer.from("x") },
      entryAt(entries, -1),
    ],
    'is damaged: the entry "files/../../escaped.png" has no place in it.',
  ],
  "an absolute path": [
    (entries) => [
      ...entries.slice(0, -1),
      { name: "/tmp/a.png", content: Buffer.from("x") },
      entryAt(entries, -1),
    ],
    'is damaged: the entry "/tmp/a.png" has no place in it.',
  ],
  "a link": [
    (entries) => [
      ...entries.slice(0, -1),
      { name: `files/${FIRST_FILE}`, content: Buffer.alloc(0), type: "symlink" },
      entryAt(entries, -1),
    ],
    "is damaged: ",
  ],
  "something behind its end": [
    (entries) => [...entries, { name: "more.txt", content: Buffer.from("x") }],
    "is damaged: something follows its last entry.",
  ],
  "a first entry that is no JSON": [
    (entries) => [{ name: MANIFEST, content: Buffer.from("{") }, ...entries.slice(1)],
    `is damaged: ${MANIFEST} is no JSON.`,
  ],
  "a first entry that lacks something": [
    withManifest(({ tables: _, ...manifest }) => manifest),
    "is damaged: tables is missing.",
  ],
  "an unknown format": [
    withManifest((manifest) => ({ ...manifest, format: 2, program: "9.1.0", more: [] })),
    "has the format 2, which this program doesn't know: install Inkstone 9.1.0.",
  ],
  "a newer program": [
    withManifest(({ migrations, ...manifest }) => ({
      ...manifest,
      program: "9.1.0",
      migrations: [...migrations, { name: "9999-moods.sql", checksum: "0", kind: "expand" }],
    })),
    "was written by Inkstone 9.1.0, which is newer than this program",
  ],
  "another program's migrations": [
    withManifest(({ migrations, ...manifest }) => ({
      ...manifest,
      migrations: migrations.map((migration) => ({ ...migration, checksum: "0" })),
    })),
    "is of a database that another 0001-settings-and-people.sql than this program's created",
  ],
  "a newer queue of jobs": [
    withManifest((manifest) => ({ ...manifest, program: "9.1.0", queueMigration: 99 })),
    "was written by Inkstone 9.1.0, which is newer than this program",
  ],
};

/** Those that a database finds out. */
const UNCHECKED = ["a table that PostgreSQL refuses", "a newer queue of jobs"];
/** In a database all are refused in the same way. */
const RESTORED = new Set([
  ...UNCHECKED,
  "a cut file",
  "a changed upload",
  "another entry",
  "a newer program",
]);

describe("a file that can't be restored", () => {
  const site = targets(EMPTY);
  const names = Object.keys(DAMAGES);

  async function damaged(name: string) {
    const [damage, sentence] = DAMAGES[name] ?? [() => [], ""];
    const made = await damage(await unpack(tar));
    return { sentence, bytes: Buffer.isBuffer(made) ? made : await packed(made) };
  }
  function expectRefused({ code, out, err }: Outcome, sentence: string): void {
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^inkstone: \/.*site\.tar .*\n$/);
    expect(err).toContain(sentence);
  }

  test("is refused with one sentence", async () => {
    for (const name of names.filter((each) => !UNCHECKED.includes(each))) {
      const { bytes, sentence } = await damaged(name);
      expectRefused(await site.restore(bytes, "--check"), sentence);
    }
  });

  test.each(names.filter((name) => RESTORED.has(name)))("leaves nothing behind: %s", async (name) => {
    const { bytes, sentence } = await damaged(name);
    expectRefused(await site.restore(bytes), sentence);
    expect(await site.whatIsThere()).toEqual(NOTHING);
  });
});

describe("inkstone restore --check", () => {
  const site = targets(EMPTY);

  test("reads a file without a database, and prints what is in it", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://x@127.0.0.1:1/x");
    const { code, out } = await site.restore(tar, "--check");
    expect(code).toBe(0);
    expect(out).toMatch(
      /site\.tar is whole: https:\/\/ink\.example at .* UTC, written by Inkstone .* on PostgreSQL .*\.\nIt has \d+ rows in \d+ tables, and 20 files \(0 MB\)\.\n$/,
    );
    const json = JSON.parse((await site.restore(tar, "--check", "--json")).out) as object;
    expect(json).toMatchObject({ format: 1, baseUrl: BASE_URL, files: 20, hasFiles: true });
  });

  test("refuses a damaged file", async () => {
    const bytes = await packed((await unpack(tar)).slice(0, -2));
    expect(await site.restore(bytes, "--check")).toMatchObject({ code: 1, out: "" });
  });
});
