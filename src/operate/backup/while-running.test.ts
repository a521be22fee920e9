import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { BYTES, openBackup, siteToSave } from "../../../test/backups.ts";
import { builtProgram } from "../../../test/setup.ts";
import { urlOf } from "../../../test/commands.ts";
import { startS3Store } from "../../../test/s3-store.ts";
import { until } from "../../../test/waiting.ts";

const saved = siteToSave();
const { site, backup, newFile, namesIn, expectFailure, startStream, isHeld } = saved;

describe("while a backup runs", () => {
  test("another one is refused, files stay until the night, and the backup has them", async () => {
    const removed = `${"1".repeat(32)}.png`;
    await saved.files.put(`uploads/${removed}`, BYTES);
    const { child, ended } = startStream();
    await until(() => isHeld("besideBackup"));
    await expectFailure(backup(newFile()), /^inkstone: Another backup of this site is running/);
    const { out: said } = await site.inkstone(["upload", "remove", removed], { env: saved.env });
    expect(said).toBe(
      `Removed ${removed}, but not its file: a backup is running. The server removes it at night.\n`,
    );
    const { files: found } = await openBackup(await buffer(child.stdout));
    expect(found.get(`uploads/${removed}`)?.equals(BYTES)).toBe(true);
    expect(await ended).toEqual([0, null]);
    const again = await site.inkstone(["upload", "remove", removed], { env: saved.env });
    expect(again.out).toBe(`Removed ${removed}.\n`);
    expect(await saved.files.get(`uploads/${removed}`)).toBeUndefined();
  });

  test("what is written later is not in it", async () => {
    const { child, ended } = startStream();
    await until(() => isHeld("besideBackup"));
    // The snapshot is there with the first bytes.
    await once(child.stdout, "readable");
    const named = ["--username", "latecomer", "--name", "Latecomer"];
    expect((await site.inkstone(["user", "create", ...named])).err).toBe("");
    const { tables } = await openBackup(await buffer(child.stdout));
    expect(await ended).toEqual([0, null]);
    expect(tables.get("public.users")?.join("\n")).not.toContain("latecomer");
  });

  test.each([
    ["its rows", "inkstone backup"],
    ["its lock", "inkstone"],
  ])("the end of the connection that has %s ends it, and what was written is no backup", async (_, name) => {
    const { child, ended, err } = startStream();
    await until(() => isHeld("besideBackup"));
    await once(child.stdout, "readable");
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${name} and xact_start is not null
        and pid <> pg_backend_pid()`.execute(site.database.superuser);
    expect(rows.length).toBeGreaterThan(0);
    const written = await buffer(child.stdout);
    expect(await err).toMatch(/^inkstone: The database .*\n$/);
    expect(await ended).toEqual([1, null]);
    await expect(openBackup(written)).rejects.toThrow(/ends|end|entry/i);
    expect(await isHeld("backup")).toBe(false);
  });

  test("the end of its reader ends it", async () => {
    const { child, ended, err } = startStream();
    await once(child.stdout, "readable");
    child.stdout.destroy();
    expect(await err).toBe(
      "inkstone: The program that reads standard output has ended: its message says why.\n",
    );
    expect(await ended).toEqual([1, null]);
  });

  test("a signal to stop ends it and leaves nothing behind", async () => {
    const store = await startS3Store();
    for (let number = 0; number < 400; number++)
      store.objects.set(`uploads/${number}0.png`, { bytes: Buffer.from("x"), modifiedAt: new Date() });
    store.fault = () => sleep(50).then(() => false);
    const before = await namesIn(saved.out);
    const child = spawn(process.execPath, [builtProgram(), "backup", newFile()], {
      cwd: site.folder,
      env: { DATABASE_URL: urlOf(site.database.name), ...saved.env, ...store.env },
    });
    const [ended, err] = [once(child, "close"), text(child.stderr)];
    await until(() => store.asked.length > 20);
    child.kill("SIGTERM");
    expect(await err).toBe("inkstone: Stopped before the end: nothing is left of it.\n");
    expect(await ended).toEqual([1, null]);
    expect(await namesIn(saved.out)).toEqual(before);
    await store.stop();
  });
});
