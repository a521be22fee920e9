import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { importFile } from "../src/operate/community-file/import.ts";
import { createFiles } from "../src/platform/files/files.ts";
import { bytesOf } from "./community-file.ts";
import { createDatabase, ownerTo } from "./database.ts";
import { SITE } from "./records.ts";
import { commandsWith, urlOf } from "./commands.ts";
import { backupOf } from "./backups.ts";
import { BASE_URL, startWorld, type World } from "./world.ts";

/** A database without tables; undefined is one that is set up. */
export const EMPTY = "template1";
export const NOTHING = { database: ["public"], files: [] };

export const FILES = Array.from(
  { length: 20 },
  (_, index) => `uploads/${String(index).padStart(32, "0")}.png`,
);
export const [FIRST_FILE = ""] = FILES;
export const contentOf = (name: string) => Buffer.from(name.repeat(1_000));

/** In a comment. */
export const OLD_ADDRESS = "https://old.example";

/** A site with all kinds of records, a key and files, saved once for all tests of a file. */
export function savedSite() {
  let world: World;
  let tar: Buffer;
  let key: string;

  beforeAll(async () => {
    world = await startWorld();
    const { db, name, services, context } = world;
    const options = { renderPool: services.renderPool, now: new Date() };
    await importFile(db, Readable.from([bytesOf(SITE)]), options);
    const zoe = await db
      .selectFrom("users")
      .select("id")
      .where("username", "=", "zoe")
      .executeTakeFirstOrThrow();
    key = await world.key(zoe);
    await sql`
      update comments set body_markdown = body_markdown || ${` ${OLD_ADDRESS}/zoe`}
      where id = (select min(id) from comments)`.execute(db);
    await sql`select graphile_worker.add_job('render-again', '{}'::json)`.execute(db);
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`.execute(db);
    for (const file of FILES) await context.files.put(file, contentOf(file));
    tar = await backupOf({ name, db, files: context.files });
  });
  afterAll(() => world.stop());

  return {
    get db() {
      return world.db;
    },
    get superuser() {
      return world.superuser;
    },
    get tar() {
      return tar;
    },
    get key() {
      return key;
    },
    /** As the database is now. */
    saveRows: () => backupOf(world),
  };
}

/** A site to restore into, new for every test, and the commands that run on it. */
export function targets(template?: string) {
  let target: Awaited<ReturnType<typeof createDatabase>>;
  let folder: string;
  beforeEach(async () => {
    target = await createDatabase(template);
    folder = await mkdtemp(join(tmpdir(), "inkstone-restore-"));
  });
  afterEach(async () => {
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const env = () => ({
    DATABASE_URL: urlOf(target.name),
    DATABASE_OWNER_URL: urlOf(target.name, ownerTo(target.name)),
    DATA_DIR: join(folder, "data"),
    BASE_URL,
  });
  const inkstone = commandsWith(env);
  return {
    env,
    get db() {
      return target.superuser;
    },
    get pool() {
      return target.connection.pool;
    },
    get files() {
      return createFiles(join(folder, "data", "files"));
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
