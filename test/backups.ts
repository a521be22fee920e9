import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { beforeAll, expect } from "vitest";
import { type LockName, LOCKS } from "../src/db/locks.ts";
import { createFiles, type Files } from "../src/files/files.ts";
import { builtProgram } from "./build.ts";
import { commandsForAll } from "./own-commands.ts";
import { urlOf } from "./program.ts";

export const UPLOAD = `uploads/${"0".repeat(32)}.png`;
export const BYTES = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * index) % 251));

/** The demo community and two files, for all tests of a file, and short words for backups of it. */
export function siteToSave() {
  const site = commandsForAll();
  let env: { DATA_DIR: string };
  let files: Files;
  let out: string;

  beforeAll(async () => {
    env = { DATA_DIR: join(site.folder, "data") };
    out = join(site.folder, "out");
    files = createFiles(join(env.DATA_DIR, "files"));
    const { code, err } = await site.inkstone(["demo"], { env });
    if (code !== 0) throw new Error(err);
    // More than pipes hold, so that a backup that nobody reads is in the middle of its tables.
    await sql`
      insert into idempotency_keys (user_id, key, fingerprint, status, headers, body)
      select min(users.id), 'large', sha256('x'), 200, '{}', (
        select string_agg(md5(number::text), '') from generate_series(1, 30000) as number
      ) from users`.execute(site.database.superuser);
    await files.put(UPLOAD, BYTES);
    await files.put("cards/07-7.png", Buffer.from("a card"));
    await createFiles(out).put("uploads/aa.png", Buffer.from("makes the folder"));
  });

  const backup = (...args: string[]) => site.inkstone(["backup", ...args], { env });
  const newFile = (() => {
    let number = 0;
    return () => join(out, `backup-${number++}.tar`);
  })();
  const namesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.includes(".tar"));

  /** Leaves no trace of a backup that failed. */
  async function expectFailure(ran: ReturnType<typeof backup>, sentence: RegExp): Promise<void> {
    const before = await namesIn(out);
    const { code, out: printed, err } = await ran;
    expect(err).toMatch(sentence);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect([code, printed]).toEqual([1, ""]);
    expect(await namesIn(out)).toEqual(before);
  }

  /** `backup -`, whose output nobody reads yet. */
  function startStream() {
    const child = spawn(process.execPath, [builtProgram(), "backup", "-"], {
      cwd: site.folder,
      env: { DATABASE_URL: urlOf(site.database.name), ...env },
    });
    const ended = once(child, "close");
    return { child, ended, err: text(child.stderr) };
  }

  const isHeld = async (name: LockName) => {
    const { rows } = await sql<{ held: boolean }>`
      select exists (
        select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where objid = ${LOCKS[name]} and locktype = 'advisory' and granted and datname = current_database()
      ) as held`.execute(site.database.db);
    return rows[0]?.held === true;
  };

  return {
    site,
    get env() {
      return env;
    },
    get files() {
      return files;
    },
    /** Where backups go. */
    get out() {
      return out;
    },
    backup,
    newFile,
    namesIn,
    expectFailure,
    startStream,
    isHeld,
  };
}
