import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, vi } from "vitest";
import { ZipFile } from "yazl";
import { type Actor, operator } from "../src/http/actor.ts";
import { exportFile } from "../src/operate/community-file/export.ts";
import { importFile, type ImportOptions, type Summary } from "../src/operate/community-file/import.ts";
import type { Db } from "../src/platform/db/connect.ts";
import { inTransaction } from "../src/platform/db/transaction.ts";
import { createFiles } from "../src/platform/files/files.ts";
import { createImages } from "../src/content/images/images.ts";
import { createRenderPool } from "../src/content/text/render-pool.ts";
import * as uploads from "../src/community/uploads/uploads.ts";
import * as users from "../src/community/users/users.ts";
import { commandsWith, urlOf } from "./commands.ts";
import { databaseForAll, type OwnDatabase } from "./own-database.ts";
import { load } from "../src/operate/demo/demo.ts";
import { createTemplate } from "./database.ts";
import { BASE_URL, renderPool, type World } from "./world.ts";

/** The demo of today at this address, loaded once for all files: that takes longer than most tests. */
export const demoTemplate = (baseUrl = BASE_URL) =>
  createTemplate(`demo ${baseUrl}`, (db) => load(db, { renderPool, now: new Date(), baseUrl }));

/** When the imports of these tests happen. */
export const NOW = new Date("2026-03-02T09:15:00Z");

/** Texts and bytes stand in the file as they are. */
export type Line = object | string | Buffer;

export function bytesOf(lines: Line[]): Buffer {
  const parts = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === "string" ? line : JSON.stringify(line)),
  );
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

export const user = (username: string, more: object = {}) => ({
  type: "user",
  username,
  name: username,
  ...more,
});

/** A published article by lena. */
export const article = (slug: string, more: object = {}) => ({
  type: "article",
  slug,
  author: "lena",
  title: slug,
  body_markdown: `# ${slug}`,
  published_at: "2026-01-02T03:04:05Z",
  ...more,
});

/** The community file of this database. */
export async function exportOf(db: Db, options?: Parameters<typeof exportFile>[2]): Promise<string> {
  const file = new PassThrough();
  const reading = text(file);
  await exportFile(db, file, options);
  file.end();
  return reading;
}

/** Imports into this database and looks at what came of it. */
export function importsInto(database: OwnDatabase) {
  const renderPool = createRenderPool();
  afterAll(() => renderPool.close());

  const loadFrom = (
    source: AsyncIterable<Buffer | string>,
    options: Partial<ImportOptions> = {},
  ): Promise<Summary> => importFile(database.db, source, { renderPool, now: NOW, ...options });

  return {
    loadFrom,
    load: (lines: Line[], options?: Partial<ImportOptions>) =>
      loadFrom(Readable.from([bytesOf(lines)]), options),
    storedUser: (username: string) =>
      database.db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirstOrThrow(),
    countUsers: async () => (await database.db.selectFrom("users").select("id").execute()).length,
  };
}

interface Entry {
  content: string | Buffer;
  /** Unix permissions and the kind of file. */
  mode?: number;
  compress?: boolean;
}

export type Entries = Record<string, string | Buffer | Entry>;

/** The bytes of a zip archive. */
export async function zipOf(entries: Entries): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, entry] of Object.entries(entries)) {
    const { content, ...options } =
      typeof entry === "string" || Buffer.isBuffer(entry) ? { content: entry } : entry;
    zip.addBuffer(Buffer.from(content), name, options);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
}

export async function writeZip(path: string, entries: Entries): Promise<string> {
  await writeFile(path, await zipOf(entries));
  return path;
}

/** The archive of a person, with these records. */
export const personsArchive = (lines: Line[], more: Entries = {}): Entries => ({
  "community.ndjson": bytesOf(lines),
  ...more,
});

/** Puts another text of the same length in the place of each occurrence. Writers of archives refuse bad names. */
export function patched(bytes: Buffer, from: string | Buffer, to: string | Buffer): Buffer {
  const [old, next] = [Buffer.from(from), Buffer.from(to)];
  if (old.length !== next.length)
    throw new Error(`${String(from)} and ${String(to)} have different lengths.`);
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at + 1)) next.copy(copy, at);
  return copy;
}

/** Changes each header of the central directory. */
export function withHeaders(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf("PK\x01\x02"); at >= 0; at = copy.indexOf("PK\x01\x02", at + 1)) {
    change(copy.subarray(at));
  }
  return copy;
}

let serial = 0;

/** The unchanged records at the end of the file. */
export const REPEATED = 3;

/**
 * Imports these records, and does something else while they are written and the import isn't over. What
 * `meanwhile` begins and doesn't wait for goes on while the import ends.
 */
export function importAround(
  { db, services, context }: World,
  records: Line[],
  meanwhile: () => Promise<void> | void,
): Promise<Summary> {
  async function* file(): AsyncGenerator<Buffer> {
    // A repeated record is a batch of its own: they fill the look-ahead, so those before them are written.
    const last = { type: "tag", name: `last${++serial}` };
    yield bytesOf([...records, last, ...Array.from({ length: REPEATED }, () => last)]);
    await meanwhile();
  }
  return importFile(db, file(), { renderPool: services.renderPool, now: context.now() });
}

/** Does this in a transaction that fails when it must wait for another one for seconds. */
export function withoutWaiting<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '5s'`.execute(tx);
    return work(tx);
  });
}

export type SiteName = "here" | "there";

export const ADDRESS = { here: "https://here.example", there: "https://there.example" };

/** Two sites with databases and files of their own, and a folder for files between them. */
export function twoSites() {
  const databases = { here: databaseForAll(), there: databaseForAll() };
  const images = createImages();
  const run = commandsWith(() => ({}));
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-two-"));
  });
  afterAll(async () => {
    images.close();
    await rm(folder, { recursive: true, force: true });
  });
  async function storedFiles(site: SiteName): Promise<string[]> {
    const root = join(folder, site, "files");
    const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return found
      .filter((one) => one.isFile())
      .map(({ name }) => name)
      .toSorted();
  }

  const filesIn = (site: SiteName) => createFiles(join(folder, site, "files"));

  return {
    storedFiles,
    /** All that an import could leave behind here. */
    async counts() {
      const { db } = databases.here;
      const count = async (table: "users" | "articles" | "uploads") =>
        (
          await db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll().as("count"))
            .execute()
        )[0];
      return [
        await count("users"),
        await count("articles"),
        await count("uploads"),
        await storedFiles("here"),
      ];
    },
    db: (site: SiteName) => databases[site].db,
    at: (name: string) => join(folder, name),
    files: filesIn,
    /** Runs a command of a site. */
    inkstone(site: SiteName, ...args: string[]) {
      vi.stubEnv("DATABASE_URL", urlOf(databases[site].name));
      vi.stubEnv("DATA_DIR", join(folder, site));
      vi.stubEnv("BASE_URL", ADDRESS[site]);
      return run(...args);
    },
    /** Uploads a picture of a user, and returns its name. */
    async upload(site: SiteName, username: string, picture: Buffer): Promise<string> {
      const { db } = databases[site];
      const id = (await users.idsByUsername(db, [username])).get(username) ?? 0;
      const actor: Actor<uploads.Upload> = { ...operator(db), user: { id, role: "member" } };
      return (await uploads.create(actor, picture, { files: filesIn(site), images })).name;
    },
  };
}
