import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { changed, packed, type TarEntry, unpack } from "../../../test/backups.ts";
import { builtProgram } from "../../../test/setup.ts";
import type { Outcome } from "../../../test/commands.ts";
import { EMPTY, FILES, FIRST_FILE, NOTHING, savedSite, targets } from "../../../test/saved-site.ts";
import { until } from "../../../test/waiting.ts";
import { openBackup, skip } from "./read.ts";
import { CHECKSUMS, type Manifest } from "./format.ts";

const saved = savedSite();

test("a file that is cut says so, wherever in an entry that is", async () => {
  const path = join(tmpdir(), `${randomUUID()}.tar`);
  let end = 0;
  for (const { content } of await unpack(saved.tar)) {
    const half = Math.ceil(content.length / 2);
    await writeFile(path, saved.tar.subarray(0, end + BLOCK + half));
    end += BLOCK + BLOCK * Math.ceil(content.length / BLOCK);
    if (content.length < 2) continue;
    const reading = openBackup(createReadStream(path, { highWaterMark: BLOCK }), "site.tar").then((backup) =>
      backup.read({ table: (_, lines) => skip(lines), file: async () => {} }),
    );
    await expect(reading).rejects.toThrow("site.tar ends in the middle: it was cut.");
  }
  await rm(path);
});

/** Of a tar. */
const BLOCK = 512;

type Damage = (entries: TarEntry[]) => TarEntry[] | Promise<Buffer>;

const entryAt = (entries: TarEntry[], index: number) => entries.at(index) as TarEntry;
const without =
  (name: string): Damage =>
  (entries) =>
    entries.filter((entry) => entry.name !== name);
const withManifest = (change: (manifest: Manifest) => unknown) => () =>
  changed(saved.tar, { manifest: change });

const USERS = "tables/public.users.0001.gz";

const DAMAGES: Record<string, [damage: Damage, sentence: string]> = {
  "no tar": [async () => Buffer.alloc(5_000, "x"), "is damaged (Invalid tar header"],
  "a cut file": [async () => saved.tar.subarray(0, saved.tar.length / 2), "ends in the middle: it was cut."],
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
      changed(saved.tar, {
        entries: (all) =>
          all.map((entry) => (entry.name === USERS ? { ...entry, content: gzipSync("no row\n") } : entry)),
      }),
    "is damaged: PostgreSQL refuses public.users (",
  ],
  "a table that has lost its rows": [
    () =>
      changed(saved.tar, {
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
  "an unknown format": [
    withManifest((manifest) => ({ ...manifest, format: 2, program: "9.1.0", more: [] })),
    'has the format 2, which this program doesn\'t know: install Inkstone "9.1.0".',
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
const RESTORED = [...UNCHECKED, "a cut file", "a changed upload", "another entry", "a newer program"];

describe("a file that can't be restored", () => {
  const site = targets(EMPTY);

  async function damaged(name: string) {
    const [damage, sentence] = DAMAGES[name] ?? [() => [], ""];
    const made = await damage(await unpack(saved.tar));
    return { sentence, bytes: Buffer.isBuffer(made) ? made : await packed(made) };
  }
  function expectRefused({ code, out, err }: Outcome, sentence: string): void {
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^inkstone: \/.*site\.tar .*\n$/);
    expect(err).toContain(sentence);
  }

  test("is refused with one sentence", async () => {
    const checked = Object.keys(DAMAGES).filter((name) => !UNCHECKED.includes(name));
    expect(checked.length).toBeGreaterThan(15);
    for (const name of checked) {
      const { bytes, sentence } = await damaged(name);
      expectRefused(await site.restore(bytes, "--check"), sentence);
    }
  });

  test("leaves nothing behind", async () => {
    expect(RESTORED.length).toBeGreaterThan(0);
    for (const name of RESTORED) {
      const { bytes, sentence } = await damaged(name);
      expectRefused(await site.restore(bytes), sentence);
      expect([name, await site.whatIsThere()]).toEqual([name, NOTHING]);
    }
  });

  test("leaves nothing behind when a signal stops the restore", async () => {
    const child = spawn(process.execPath, [builtProgram(), "restore", "-"], {
      env: site.env(),
    });
    const [ended, err] = [once(child, "close"), text(child.stderr)];
    // All but the end.
    child.stdin.write(saved.tar.subarray(0, -2_000));
    await until(async () => (await site.whatIsThere()).files.length === FILES.length);
    child.kill("SIGTERM");
    expect(await err).toBe("inkstone: Stopped before the end: nothing is left of it.\n");
    expect(await ended).toEqual([1, null]);
    expect(await site.whatIsThere()).toEqual(NOTHING);
  });
});
