import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { changed, rowsOf } from "../../../test/backups.ts";
import {
  contentOf,
  EMPTY,
  FILES,
  FIRST_FILE,
  NOTHING,
  OLD_ADDRESS,
  savedSite,
  targets,
} from "../../../test/saved-site.ts";
import { BASE_URL } from "../../../test/world.ts";
import type { Db } from "../../platform/db/connect.ts";
import { noteServer } from "../cli/running-servers.ts";
import { readConfig } from "../../platform/config.ts";
import { showProgram } from "../../platform/db/pooler.ts";
import * as keys from "../../community/users/keys.ts";

const saved = savedSite();

describe("inkstone restore into an empty database", () => {
  const site = targets(EMPTY);

  test("brings back every row, file and key as a plain role, checks them, and frees the queue", async () => {
    const { "public.settings": settingsBefore, ...rowsBefore } = await rowsOf(saved.superuser);
    const { code, out, err } = await site.restore(saved.tar);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Restored \d+ rows of \d+ tables, and 20 files \(\d+ KB\), in [\d.]+ s\.\n/);
    expect(out).toContain("All checks of `inkstone doctor --verify` passed.");
    const { "public.settings": settings = "", ...rows } = await rowsOf(site.db);
    expect(rows).toEqual(rowsBefore);
    // One more, that holds what would leave the site.
    expect(Number.parseInt(settings, 10)).toBe(Number.parseInt(settingsBefore ?? "", 10) + 1);
    expect((await site.whatIsThere()).files).toEqual(FILES);
    expect(await keys.authenticate(site.db, saved.key, new Date())).toMatchObject({ id: 9 });
    const locked = sql`select from graphile_worker._private_jobs where locked_at is not null`;
    expect((await locked.execute(site.db)).rows).toEqual([]);
  });

  test("gives back the keys, indexes, triggers and numbers of the tables", async () => {
    await site.restore(saved.tar, "--no-verify");
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
    expect((await shape(site.db)).rows).toEqual((await shape(saved.superuser)).rows);
  });

  test("refuses the database of another program", async () => {
    await sql`create table accounts (id int)`.execute(site.db);
    const { code, err } = await site.restore(saved.tar);
    const words = "The database has 1 table already, such as accounts: restore into an empty one";
    expect([code, err]).toEqual([1, `inkstone: ${words}, by another DATA_DIR or DATABASE_URL.\n`]);
  });

  test("refuses a file store that has another file of a name, and removes none that was there", async () => {
    await site.files.put(FIRST_FILE, Buffer.from("another"));
    const { code, err } = await site.restore(saved.tar);
    expect([code, err]).toEqual([
      1,
      `inkstone: The file store has another ${FIRST_FILE} already: restore into an empty one, by another DATA_DIR or bucket.\n`,
    ]);
    expect(await site.whatIsThere()).toEqual({ ...NOTHING, files: [FIRST_FILE] });
  });

  test("uses files that are there already", async () => {
    await site.files.put(FIRST_FILE, contentOf(FIRST_FILE));
    expect(await site.restore(saved.tar, "--no-verify")).toMatchObject({ code: 0 });
    expect((await site.whatIsThere()).files).toEqual(FILES);
  });

  test("leaves the files out that the backup leaves out, and says so", async () => {
    const { out } = await site.restore(await saved.saveRows(), "--no-verify");
    expect(out).toContain("no files, as --without-files wanted, in ");
    expect(out).toContain("The backup has no files: copy DATA_DIR/files or the bucket too.");
    expect((await rowsOf(site.db))["public.articles"]).toBe(
      (await rowsOf(saved.superuser))["public.articles"],
    );
  });

  test("has texts rendered again that link to the address of before, and counts them", async () => {
    const moved = await changed(saved.tar, {
      manifest: (manifest) => ({ ...manifest, baseUrl: OLD_ADDRESS }),
    });
    const { out } = await site.restore(moved, "--no-verify");
    expect(out).toContain(
      `The site was ${OLD_ADDRESS} and is ${BASE_URL}: \`inkstone serve\` renders 1 text with links to one of them again.`,
    );
    const outdated = await sql`select from comments where renderer_version = 0`.execute(site.db);
    expect(outdated.rows).toHaveLength(1);
  });
});

describe("inkstone restore into a site that is set up", () => {
  const site = targets();

  test("fills it, and its own rows give way", async () => {
    await sql`insert into settings (key, value) values ('tagline', '"Mine"')`.execute(site.db);
    expect(await site.restore(saved.tar, "--no-verify")).toMatchObject({ code: 0 });
    const { rows } = await sql`select value from settings where key = 'tagline'`.execute(site.db);
    expect(rows).toEqual([{ value: "Bring it broken" }]);
  });

  test("refuses one with people or articles, and says what is there", async () => {
    await site.restore(saved.tar, "--no-verify");
    const before = await rowsOf(site.db);
    expect(await site.restore(saved.tar)).toEqual({
      code: 1,
      out: "",
      err: "inkstone: The site has 2 users and 5 articles already: restore into an empty one, by another DATA_DIR or DATABASE_URL.\n",
    });
    expect(await rowsOf(site.db)).toEqual(before);
  });

  test("refuses one on which a server runs", async () => {
    const end = await showProgram(site.pool);
    await noteServer(readConfig(site.env()), new Date());
    expect(await site.restore(saved.tar)).toMatchObject({
      code: 1,
      err: `inkstone: A server runs on this database (pid ${process.pid}): stop it first.\n`,
    });
    end?.();
  });

  test("fills a table of another owner by inserts alone", async () => {
    const make = sql`create table audit (note text); grant select, insert on audit to public`;
    await make.execute(saved.superuser);
    await sql`insert into audit values ('a'), ('b')`.execute(saved.superuser);
    const withAudit = await saved.saveRows();
    await sql`drop table audit`.execute(saved.superuser);
    await make.execute(site.db);
    expect(await site.restore(withAudit, "--no-verify")).toMatchObject({ code: 0 });
    const { rows } = await sql`select note from audit order by note`.execute(site.db);
    expect(rows).toEqual([{ note: "a" }, { note: "b" }]);
  });

  test("leaves out tables and columns that no migration makes, and names them", async () => {
    await sql`create table moods as select 1 as mood; grant select on moods to public;
      alter table users add column note text default 'a note'`.execute(saved.superuser);
    const withMore = await saved.saveRows();
    await sql`drop table moods; alter table users drop column note`.execute(saved.superuser);
    const { code, out } = await site.restore(withMore);
    expect(code).toBe(0);
    expect(out).toContain("no migration of Inkstone makes it: public.moods and public.users.note.");
    expect((await rowsOf(site.db))["public.users"]).toBe((await rowsOf(saved.db))["public.users"]);
  });
});

describe("inkstone restore --check", () => {
  const site = targets(EMPTY);

  test("reads a file without a database, and prints what is in it", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://x@127.0.0.1:1/x");
    const { code, out } = await site.restore(saved.tar, "--check");
    expect(code).toBe(0);
    expect(out).toMatch(
      /site\.tar is whole: https:\/\/ink\.example at .* UTC, written by Inkstone .* on PostgreSQL .*\.\nIt has \d+ rows in \d+ tables, and 20 files \(\d+ KB\)\.\n$/,
    );
    const json = JSON.parse((await site.restore(saved.tar, "--check", "--json")).out) as object;
    expect(json).toMatchObject({ format: 1, baseUrl: BASE_URL, files: 20, hasFiles: true });
  });
});
