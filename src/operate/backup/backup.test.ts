import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { BYTES, openBackup, siteToSave, UPLOAD } from "../../../test/backups.ts";
import { HAS_POOLER, startPooler } from "../../../test/between.ts";
import { hasTerminals, inTerminal, urlOf } from "../../../test/commands.ts";
import { canMount, mountSmallDisk } from "../../../test/small-disk.ts";
import { EXEMPT_COLUMNS, EXEMPT_TABLES } from "./catalogue-queries.ts";

const saved = siteToSave();
const { site, backup, newFile, expectFailure, startStream } = saved;

describe("a backup", () => {
  let file: string;
  let opened: Awaited<ReturnType<typeof openBackup>>;
  let printed: string;
  beforeAll(async () => {
    file = newFile();
    ({ out: printed } = await backup(file, "--json"));
    opened = await openBackup(await readFile(file));
  });

  test("ends with the numbers of what is in it", async () => {
    const rows = Object.values(opened.checksums.rows);
    expect(JSON.parse(printed)).toEqual({
      file,
      bytes: (await stat(file)).size,
      tables: rows.length,
      rows: rows.reduce((sum, count) => sum + count, 0),
      files: opened.files.size,
      missing: 0,
    });
  });

  test("holds every table of the database but those that have a reason, and every column", async () => {
    const { rows } = await sql<{ table: string; columns: string[] }>`
      select concat(table_schema, '.', table_name) as table,
        array_agg(column_name::text order by ordinal_position) filter (where is_generated = 'NEVER') as columns
      from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      join pg_class on oid = to_regclass(concat(quote_ident(table_schema), '.', quote_ident(table_name)))
      where table_type = 'BASE TABLE' and not relispartition
        and table_schema not in ('pg_catalog', 'information_schema')
      group by 1`.execute(site.database.superuser);
    const wanted = rows
      .filter(({ table }) => !(table in EXEMPT_TABLES))
      .map(({ table, columns }) => ({
        table,
        columns: columns.filter((column) => !(`${table}.${column}` in EXEMPT_COLUMNS)),
      }));
    const saved = opened.manifest.tables.map(({ schema, name, columns }) => ({
      table: `${schema}.${name}`,
      columns,
    }));
    const byTable = (one: { table: string }, other: { table: string }) => (one.table < other.table ? -1 : 1);
    expect(saved.toSorted(byTable)).toEqual(wanted.toSorted(byTable));
    expect([...opened.tables.keys()]).toEqual(saved.map(({ table }) => table));
    // An exemption of what isn't there is a mistake.
    for (const table of Object.keys(EXEMPT_TABLES)) expect(rows.map((row) => row.table)).toContain(table);
    for (const column of Object.keys(EXEMPT_COLUMNS)) {
      const of = rows.find(({ table }) => column.startsWith(`${table}.`));
      expect(of?.columns).toContain(column.slice(String(of?.table).length + 1));
    }
  });

  test("holds every row", async () => {
    expect(opened.checksums.rows["public.articles"]).toBeGreaterThan(10);
    for (const { schema, name } of opened.manifest.tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from ${sql.table(`${schema}.${name}`)}`.execute(site.database.db);
      const table = `${schema}.${name}`;
      expect([table, opened.tables.get(table)?.length]).toEqual([table, rows[0]?.count]);
      expect([table, opened.checksums.rows[table]]).toEqual([table, rows[0]?.count]);
    }
    const { rows } = await sql<{ slug: string }>`select slug from articles limit 1`.execute(site.database.db);
    expect(opened.tables.get("public.articles")?.join("\n")).toContain(`\t${rows[0]?.slug}\t`);
  });

  test("holds the uploaded files and no social cards", () => {
    expect(opened.files.get(UPLOAD)?.equals(BYTES)).toBe(true);
    expect([...opened.files.keys()].filter((name) => !name.startsWith("uploads/"))).toEqual([]);
  });

  test("begins with its description and ends with the checksums", async () => {
    expect(opened.names.at(0)).toBe("inkstone-backup.json");
    expect(opened.names.at(-1)).toBe("checksums.json");
    const { rows } = await sql`select name, checksum, kind from schema_migrations order by name`.execute(
      site.database.db,
    );
    expect(opened.manifest).toMatchObject({
      format: 1,
      program: expect.stringMatching(/^\d+\.\d+\.\d+/),
      postgresql: expect.stringMatching(/^\d+/),
      baseUrl: "http://localhost:3000",
      migrations: rows,
      hasFiles: true,
    });
    const ids = opened.manifest.sequences.find(({ name }) => name === "articles_id_seq");
    const { rows: last } = await sql<{ id: number }>`select max(id) as id from articles`.execute(
      site.database.db,
    );
    expect(Number(ids?.lastValue)).toBeGreaterThanOrEqual(Number(last[0]?.id));
    expect(ids?.isCalled).toBe(true);
  });

  test("is readable by its owner alone", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("contains no key of a client and nothing of the process's settings", async () => {
    const named = ["--username", "keeper", "--name", "Keeper"];
    const { out: printed } = await site.inkstone(["user", "create", ...named, "--with-key", "--json"]);
    const { api_key } = JSON.parse(printed) as { api_key: string };
    expect(api_key.length).toBeGreaterThan(20);
    const kept = newFile();
    await backup(kept);
    const { tables, manifest } = await openBackup(await readFile(kept));
    const all = `${JSON.stringify(manifest)}${[...tables.values()].flat().join("\n")}`;
    expect(all).not.toContain(api_key);
    expect(all).not.toContain(saved.env.DATA_DIR);
  });

  test("can leave out the files", async () => {
    const small = newFile();
    expect((await backup(small, "--without-files")).code).toBe(0);
    const { files: found, manifest } = await openBackup(await readFile(small));
    expect([found.size, manifest.hasFiles]).toEqual([0, false]);
  });
});

describe("the file of a backup", () => {
  test("is not overwritten unless it is forced to, and then when the new one is whole", async () => {
    const file = newFile();
    await writeFile(file, "precious");
    await expectFailure(backup(file), /exists already: name another file, or overwrite it with --force\.$/m);
    expect(await readFile(file, "utf8")).toBe("precious");
    expect((await backup(file, "--force")).code).toBe(0);
    await openBackup(await readFile(file));
    await expectFailure(backup(saved.out, "--force"), /is not a regular file/);
  });

  test("takes away what killed commands left of it more than a day ago", async () => {
    const file = newFile();
    const [old, young, other] = [`${file}.0a1b2c3d.part`, `${file}.1a1b2c3d.part`, `${file}.notes.part`];
    for (const name of [old, young, other]) await writeFile(name, "x");
    const before = new Date(Date.now() - 25 * 3_600_000);
    for (const name of [old, other]) await utimes(name, before, before);
    expect((await backup(file)).code).toBe(0);
    const left = (await readdir(saved.out)).filter((name) => name.endsWith(".part"));
    expect(left.toSorted()).toEqual([young, other].map((name) => basename(name)));
  });

  test("goes to standard output with -, and the sentence to standard error", async () => {
    const { child, ended, err } = startStream();
    const { files: found } = await openBackup(await buffer(child.stdout));
    expect(found.get(UPLOAD)?.equals(BYTES)).toBe(true);
    expect(await err).toMatch(/^Saved \d+ rows of \d+ tables and \d+ files?, \d+ [KM]B\.\n$/);
    expect(await ended).toEqual([0, null]);
  });

  test.runIf(hasTerminals)("does not go to a terminal", async () => {
    const terminal = inTerminal(["backup", "-"], { cwd: site.folder, env: saved.env });
    expect(await terminal.ended).toBe(2);
    expect(terminal.output()).toContain("Standard output is a terminal");
  });

  test.runIf(canMount)("is gone when the disk is full", async () => {
    const disk = mountSmallDisk(1);
    try {
      disk.fill(200_000);
      await expectFailure(backup(join(disk.path, "full.tar")), /^inkstone: The disk is full/);
      expect(await readdir(disk.path)).toEqual(["filler"]);
    } finally {
      disk.unmount();
    }
  });
});

describe.runIf(HAS_POOLER)("behind a pooler that gives out transactions", () => {
  test("a backup is whole", async () => {
    const pooler = await startPooler(site.database.name, { pool_mode: "transaction", default_pool_size: 4 });
    try {
      const file = newFile();
      const { err } = await site.inkstone(["backup", file], {
        env: { ...saved.env, DATABASE_URL: pooler.url },
      });
      expect(err).toBe("");
      const { checksums } = await openBackup(await readFile(file));
      expect(checksums.rows["public.articles"]).toBeGreaterThan(10);
    } finally {
      await pooler.stop();
    }
  });
});

test("an empty database has nothing to save", async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    site.database.superuser,
  );
  const other = urlOf(String(rows[0]?.name)).replace(site.database.name, "postgres");
  const ran = site.inkstone(["backup", newFile()], { env: { ...saved.env, DATABASE_URL: other } });
  await expectFailure(ran, /^inkstone: The database is empty: there is nothing to save\.$/m);
  expect(await saved.isHeld("backup")).toBe(false);
});
