import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareDatabase } from "../src/platform/db/embedded/database.ts";
import { contentOf, createFiles, type Files } from "../src/platform/files/files.ts";
import { builtProgram, IS_LONG } from "./setup.ts";
import { DEBIAN, openPlace, type Place } from "./own-postgres.ts";
import { programForAll, urlOf } from "./commands.ts";
import { type ServerProcess, startServerProcess } from "./servers.ts";
import { until } from "./waiting.ts";

/** Writes at once, each with its pause, make 50 a second where the machine is quick enough. */
const WRITERS = 5;
const PAUSE_MS = 100;
/** Of each writer, before the backup begins and after it has ended. */
const WRITES = 200;

interface Write {
  /** Of one writer, in order. */
  title: string;
  /** Of the picture in it. */
  image: string;
  begunAt: number;
  endedAt: number;
}

const site = programForAll();
let folder: string;
let dataDir: string;
let server: ServerProcess;
let elsewhere: Awaited<ReturnType<typeof anotherVersion>>;
const keys: string[] = [];
const written: Write[][] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inkstone-drill-"));
  dataDir = join(folder, "data");
  for (let writer = 0; writer < WRITERS; writer += 1) {
    const args = ["--username", `writer_${writer}`, "--name", "Writer", "--with-key", "--json"];
    const { out } = await site.inkstone(["user", "create", ...args]);
    keys.push((JSON.parse(out) as { api_key: string }).api_key);
  }
  server = await startServerProcess(urlOf(site.database.name), { DATA_DIR: dataDir, RATE_LIMITS: "off" });
  elsewhere = await anotherVersion();
  await saveWhileWriting();
});
afterAll(async () => {
  await server.kill();
  await elsewhere.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Another PostgreSQL than the tests': Debian's beside the embedded one, and the embedded one beside Debian's. */
async function anotherVersion() {
  const embedded = { env: { DATABASE_URL: "", DATA_DIR: join(folder, "embedded") }, stop: async () => {} };
  if (process.env["TEST_DATABASE_URL"] !== undefined || !existsSync(DEBIAN)) return embedded;
  const place: Place = await openPlace({}, { isDebian: true });
  await place.initialize("other");
  const { port } = await place.start("other");
  await prepareDatabase({ host: "127.0.0.1", port, user: "inkstone_app", database: "inkstone" });
  const as = (role: string) => `postgres://${role}@127.0.0.1:${port}/inkstone`;
  const env = {
    DATABASE_URL: as("inkstone_app"),
    DATABASE_OWNER_URL: as("inkstone_owner"),
    DATA_DIR: join(folder, "other-data"),
  };
  return { env, stop: place.close };
}

const saved = { begunAt: 0, endedAt: 0, said: "" };

/** Takes a backup while all writers write, some of them before it and some after it. */
async function saveWhileWriting(): Promise<void> {
  let isSaved = false;
  const isDone = (writes: Write[]) =>
    isSaved && writes.filter(({ begunAt }) => begunAt > saved.endedAt).length >= WRITES / 2;
  const writers = keys.map(async (key, writer) => {
    const writes: Write[] = (written[writer] = []);
    while (!isDone(writes)) {
      writes.push(await write(key, [writer, writes.length]));
      await sleep(PAUSE_MS);
    }
  });
  const all = Promise.all(writers);
  const saving = async () => {
    await until(() => written.every((writes) => writes.length >= WRITES));
    Object.assign(saved, await save());
    isSaved = true;
  };
  await Promise.all([all, Promise.race([all, saving()])]);
}

async function save(): Promise<typeof saved> {
  const begunAt = performance.now();
  const env = { DATABASE_URL: urlOf(site.database.name), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [builtProgram(), "backup", join(folder, "site.tar")], {
    cwd: folder,
    env,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += String(text)));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(said);
  return { begunAt, endedAt: performance.now(), said };
}

/** Uploads a picture, and an article that shows it. */
async function write(key: string, [writer, number]: [number, number]): Promise<Write> {
  const [title, background] = [`Writing ${writer} ${number}`, { r: writer, g: number % 256, b: 0 }];
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
  const begunAt = performance.now();
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(image)], { type: "image/png" }), "a.png");
  const uploaded = await server.request("/api/image_uploads", { method: "POST", key, body });
  const link = /[^"]*\/uploads\/[^"]*/.exec(uploaded.text)?.[0] ?? "";
  const article = { title, published: true, body_markdown: `![A picture](${link})` };
  const created = await server.request("/api/articles", { method: "POST", key, body: { article } });
  if (created.status !== 201) throw new Error(`${created.status}: ${created.text}`);
  return { title, image: `uploads/${link.split("/").at(-1)}`, begunAt, endedAt: performance.now() };
}

/** As their authors see them. */
async function articlesAt(at: ServerProcess): Promise<Map<string, unknown>> {
  const articles = new Map<string, unknown>();
  for (const key of keys) {
    const { status, text } = await at.request("/api/articles/me/all?per_page=1000", { key });
    if (status !== 200) throw new Error(text);
    for (const { id, title, path, published_at, body_markdown } of JSON.parse(text) as Article[])
      articles.set(title, { id, path, published_at, body_markdown });
  }
  return articles;
}

interface Article {
  id: number;
  title: string;
  path: string;
  published_at: string;
  body_markdown: string;
}

describe.runIf(IS_LONG)(
  "a backup that was taken beside 50 writes a second, restored on another PostgreSQL",
  () => {
    let restored: ServerProcess;
    let articles: Map<string, unknown>;
    let said: string;
    beforeAll(async () => {
      const { env } = elsewhere;
      const { code, out, err } = await site.inkstone(["restore", join(folder, "site.tar")], { env });
      if (code !== 0) throw new Error(err);
      said = out;
      const { DATABASE_URL, ...others } = env;
      restored = await startServerProcess(DATABASE_URL, { ...others, RATE_LIMITS: "off" });
      articles = await articlesAt(restored);
    });
    afterAll(() => restored.kill());

    test("passes all checks", () => {
      expect(said).toContain("All checks of `inkstone doctor --verify` passed.");
    });

    test("has every write that was acknowledged before it began, and none that began after it ended", () => {
      const titlesOf = (writes: Write[]) => writes.map(({ title }) => title);
      const before = titlesOf(written.flat().filter(({ endedAt }) => endedAt < saved.begunAt));
      const after = titlesOf(written.flat().filter(({ begunAt }) => begunAt > saved.endedAt));
      expect([before.length, after.length].map((count) => count > WRITERS)).toEqual([true, true]);
      expect(before.filter((title) => !articles.has(title))).toEqual([]);
      expect(after.filter((title) => articles.has(title))).toEqual([]);
    });

    test("is one moment of every writer: nothing is missing before the last of their writes", () => {
      for (const writes of written) {
        const has = writes.map(({ title }) => articles.has(title));
        expect(has).toEqual(has.toSorted((one, other) => Number(other) - Number(one)));
      }
    });

    test("has each of these articles as it is, with its picture byte for byte", async () => {
      const there = await articlesAt(server);
      const [before, after] = [dataDir, elsewhere.env.DATA_DIR].map((dir) => createFiles(join(dir, "files")));
      for (const { title, image } of written.flat().filter((write) => articles.has(write.title))) {
        expect([title, articles.get(title)]).toEqual([title, there.get(title)]);
        const one = await contentOf(before as Files, image);
        const other = await contentOf(after as Files, image);
        expect(one?.length).toBeGreaterThan(0);
        expect([title, other?.toString("hex")]).toEqual([title, one?.toString("hex")]);
      }
    });

    test("takes new writes with the same keys, and says that it holds what would leave it", async () => {
      const article = { title: "After the restore", published: true, body_markdown: "Words" };
      const { status } = await restored.request("/api/articles", {
        method: "POST",
        key: keys[0] ?? "",
        body: { article },
      });
      expect(status).toBe(201);
      expect(restored.output()).toContain("run `inkstone outbound resume`");
    });
  },
);
