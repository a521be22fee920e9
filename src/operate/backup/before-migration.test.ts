import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBackup } from "../../../test/backups.ts";
import { ownerTo } from "../../../test/database.ts";
import { nextVersion } from "../../../test/servers.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";

const site = programForAll();
let next: Awaited<ReturnType<typeof nextVersion>>;
beforeAll(async () => {
  next = await nextVersion();
});
afterAll(() => next.remove());

const OWNER = () => urlOf(site.database.name, ownerTo(site.database.name));

async function migrate(dataDir: string, ...args: string[]) {
  const env = { DATABASE_URL: urlOf(site.database.name), DATABASE_OWNER_URL: OWNER(), DATA_DIR: dataDir };
  const ran = promisify(execFile)(process.execPath, [next.program, "migrate", ...args], {
    cwd: site.folder,
    env,
  });
  const { stdout, stderr } = await ran;
  return { stdout, stderr };
}

async function undo(): Promise<void> {
  await sql`alter table settings drop column mood`.execute(site.database.superuser);
  await sql`delete from schema_migrations where name = ${next.migration}`.execute(site.database.superuser);
}

test("a migration of a site saves it first, keeps the last two, and saves nothing when there is nothing to run", async () => {
  const dataDir = join(site.folder, "data");
  const folder = join(dataDir, "backups");
  await mkdir(folder, { recursive: true });
  const others = ["before-0001-a.tar", "before-0002-b.tar", "kept.tar"];
  for (const name of others) await writeFile(join(folder, name), "x");
  const name = `before-${next.migration.replace(".sql", "")}.tar`;
  const { stdout, stderr } = await migrate(dataDir);
  expect(stdout).toContain(`Ran 1 migration: ${next.migration}.`);
  expect(stderr).toContain(`Saved the database as it is in ${join(folder, name)}.`);
  expect((await readdir(folder)).toSorted()).toEqual(["before-0002-b.tar", name, "kept.tar"]);
  const { manifest, checksums } = await openBackup(await readFile(join(folder, name)));
  expect(manifest.migrations.map((one) => one.name)).not.toContain(next.migration);
  expect(manifest.tables.find((table) => table.name === "settings")?.columns).not.toContain("mood");
  expect(checksums.rows["public.settings"]).toBeDefined();

  const idle = await migrate(join(site.folder, "idle"));
  expect(idle.stdout).toContain("The schema is up to date.");
  await expect(readdir(join(site.folder, "idle"))).rejects.toThrow("ENOENT");

  await undo();
  await migrate(join(site.folder, "without"), "--no-backup");
  await expect(readdir(join(site.folder, "without"))).rejects.toThrow("ENOENT");

  // A backup that fails ends the command before the migration.
  await undo();
  await writeFile(join(site.folder, "file"), "x");
  await expect(migrate(join(site.folder, "file"))).rejects.toThrow("Command failed");
  const { rows } = await sql`select from schema_migrations where name = ${next.migration}`.execute(
    site.database.db,
  );
  expect(rows).toHaveLength(0);
});
