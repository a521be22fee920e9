import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { openBackup } from "../../../test/backups.ts";
import { connectionTo } from "../../../test/database.ts";
import { commandsForAll } from "../../../test/commands.ts";
import { EMPTY, targets } from "../../../test/saved-site.ts";
import { createFiles } from "../../platform/files/files.ts";
import { createNightly } from "./nightly.ts";
import { INCOMPLETE, nameOf } from "./places.ts";

const site = commandsForAll();
const dataDir = () => join(site.folder, "data");
const fileOf = (name: string) => join(site.folder, name);
const backup = (...args: string[]) => site.inkstone(["backup", ...args], { env: { DATA_DIR: dataDir() } });
const nameOfImage = (digit: string) => `${digit.repeat(32)}.png`;
const SIZES = 4;

describe("of a site whose file store lacks images", () => {
  let file: string;
  let ran: Awaited<ReturnType<typeof backup>>;
  beforeAll(async () => {
    const { superuser: db } = site.database;
    await site.inkstone(["user", "create", "--username", "lena", "--name", "Lena"]);
    await sql`
      insert into uploads (user_id, name, bytes, created_at)
      select min(id), ${nameOfImage("a")}, 1, now() from users`.execute(db);
    await sql`
      update users set profile_image = ${`/uploads/${nameOfImage("b")}`}
      where id = (select min(id) from users)`.execute(db);
    await sql`
      insert into settings (key, value) values ('logo_url', to_jsonb(${`/uploads/${nameOfImage("c")}`}::text))
      on conflict (key) do update set value = excluded.value`.execute(db);
    file = fileOf("lacking.tar");
    ran = await backup(file, "--json");
  });
  const missing = SIZES + 2;

  test("a backup is written, and fails with their number", async () => {
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(
      /^inkstone: The backup lacks 6 files of images that .*data\/files doesn't have: `inkstone doctor --verify` names them\.\n$/,
    );
    expect(JSON.parse(ran.out)).toMatchObject({ file, missing });
    const { checksums, tables } = await openBackup(await readFile(file));
    expect(checksums.missing).toBe(missing);
    expect(tables.get("public.uploads")?.join("\n")).toContain(nameOfImage("a"));
  });

  test("one without files is what was asked for", async () => {
    expect(await backup(fileOf("other.tar"), "--without-files")).toMatchObject({ code: 0, err: "" });
  });

  test("restore --check says it", async () => {
    const { code, out } = await site.inkstone(["restore", "--check", file]);
    expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "It lacks 6 files of images that were missing when it was made: an older one may have them.",
    ]);
  });

  describe("restored", () => {
    const empty = targets(EMPTY);

    test("the site is as it was, so the command succeeds, and says it", async () => {
      const { code, out } = await empty.restore(await readFile(file));
      expect(out).toContain("It lacks 6 files of images");
      expect(out).toContain("All other checks of `inkstone doctor --verify` passed.");
      expect(code).toBe(0);
    });
  });

  test("nightly ones fail, take the place of no whole one, remove none, and are tried again later", async () => {
    const folder = await mkdtemp(join(tmpdir(), "inkstone-lacking-"));
    const old = ["2027-03-01T04:07:00Z", "2027-03-02T04:07:00Z"].map((time) => nameOf(new Date(time)));
    for (const name of old) await writeFile(join(folder, name), "x");
    const { db, superuser, name } = site.database;
    const lines: string[] = [];
    const now = new Date("2027-03-20T04:07:00Z");
    const nightly = await createNightly({
      config: {
        baseUrl: "https://ink.example",
        backupDir: folder,
        backupKeepDays: 2,
        dataDir: dataDir(),
        s3: undefined,
      },
      db,
      connection: connectionTo(name),
      files: createFiles(join(dataDir(), "files")),
      now: () => now,
      signal: new AbortController().signal,
      log: (level, line) => void lines.push(`${level} ${line}`),
    });
    await sql`select graphile_worker.add_job('backup')`.execute(superuser);
    await sql`update graphile_worker._private_jobs set locked_at = now(), attempts = 1`.execute(superuser);
    await expect(nightly.run()).rejects.toThrow("The backup lacks 6 files");
    expect((await readdir(folder)).toSorted()).toEqual([...old, INCOMPLETE]);
    expect((await openBackup(await readFile(join(folder, INCOMPLETE)))).checksums.missing).toBe(missing);
    expect(lines).toEqual([
      expect.stringMatching(/^error The backup to .* failed: The backup lacks 6 files/),
    ]);
    await nightly.check();
    expect(nightly.ageSeconds()).toBe(18 * 86_400);
    const { rows } = await sql<{ isLater: boolean }>`
      select run_at > now() + interval '15 minutes' as "isLater" from graphile_worker.jobs`.execute(
      superuser,
    );
    expect(rows).toEqual([{ isLater: true }]);

    await sql`delete from uploads`.execute(superuser);
    await sql`update users set profile_image = null`.execute(superuser);
    await sql`delete from settings where key = 'logo_url'`.execute(superuser);
    await nightly.run();
    expect((await readdir(folder)).toSorted()).toEqual([old[0], nameOf(now)]);
    await rm(folder, { recursive: true, force: true });
  });
});
