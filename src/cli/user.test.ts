import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { databaseForAll } from "../../test/own-database.ts";
import { urlOf } from "../../test/program.ts";
import { CONFIG, createEngine, send } from "../../test/world.ts";
import { buildApp } from "../app.ts";
import { createFiles } from "../files/files.ts";
import * as keys from "../users/keys.ts";
import * as users from "../users/users.ts";
import { run } from "./run.ts";

const database = databaseForAll();
let folder: string;
let [out, err] = ["", ""];

beforeAll(async () => {
  await users.create(database.db, { username: "ada", name: "Ada", role: "admin" });
  await users.create(database.db, { username: "lena", name: "Lena" });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-user-"));
  vi.stubEnv("DATABASE_URL", urlOf(database.name));
  vi.stubEnv("DATA_DIR", folder);
  // Vitest's own means something else.
  vi.stubEnv("BASE_URL", "http://localhost:3000");
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command in this process, which is faster than another one. */
async function inkstone(args: string[]): Promise<{ code: number; out: string; err: string }> {
  [out, err] = ["", ""];
  const code = await run(args);
  return { code, out, err };
}

describe("inkstone user", () => {
  test("suspends somebody and takes it back", async () => {
    expect(await inkstone(["user", "suspend", "LENA"])).toEqual({
      code: 0,
      out: "Suspended lena.\n",
      err: "",
    });
    const again = await inkstone(["user", "suspend", "lena", "--json"]);
    expect(JSON.parse(again.out)).toEqual({ id: 2, username: "lena", suspended: true, changed: false });
    const back = await inkstone(["user", "unsuspend", "lena", "--json"]);
    expect(JSON.parse(back.out)).toEqual({ id: 2, username: "lena", suspended: false, changed: true });
    expect((await inkstone(["user", "unsuspend", "lena"])).out).toBe("lena is not suspended.\n");
  });

  test("gives somebody another role", async () => {
    expect((await inkstone(["user", "role", "Lena", "moderator"])).out).toBe("lena is now a moderator.\n");
    const same = await inkstone(["user", "role", "lena", "moderator", "--json"]);
    expect(JSON.parse(same.out)).toEqual({ id: 2, username: "lena", role: "moderator", changed: false });
  });

  test.each([
    [["suspend", "ada"], 1],
    [["role", "ada", "member"], 1],
  ])("keeps the last admin: %j", async (args, code) => {
    expect(await inkstone(["user", ...args])).toEqual({
      code,
      out: "",
      err: "inkstone: The site needs an admin who isn't suspended: make somebody else an admin first.\n",
    });
  });

  test.each([
    [["suspend", "nobody"], 1, 'inkstone: There is no user "nobody".\n'],
    [["role", "nobody", "admin"], 1, 'inkstone: There is no user "nobody".\n'],
    [["role", "lena", "king"], 2, /Allowed choices are member, moderator, admin/],
    [["role", "lena"], 2, /missing required argument/i],
  ])("refuses %j in one line", async (args, code, sentence) => {
    const outcome = await inkstone(["user", ...args]);
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toMatch(sentence);
    expect(outcome.err.trimEnd().split("\n")).toHaveLength(1);
  });
});

test("people, organizations and follows come by a file and are read by everybody they are for", async () => {
  const lines = [
    { type: "user", username: "noor", name: "Noor" },
    { type: "user", username: "marco", name: "Marco" },
    {
      type: "organization",
      username: "guild",
      name: "Guild",
      members: [{ username: "noor", role: "admin" }],
    },
    { type: "tag", name: "wool" },
    { type: "follow", user: "noor", followed_user: "lena", created_at: "2026-02-01T10:00:00Z" },
    { type: "follow", user: "marco", followed_user: "lena", created_at: "2026-02-02T10:00:00Z" },
    { type: "follow", user: "lena", tag: "wool", points: 3 },
    {
      type: "article",
      slug: "looms-1a",
      author: "noor",
      organization: "guild",
      title: "Looms",
      body_markdown: "x",
    },
  ];
  await writeFile(join(folder, "site.ndjson"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect((await inkstone(["import", join(folder, "site.ndjson")])).code).toBe(0);
  expect((await inkstone(["user", "suspend", "noor"])).code).toBe(0);
  const { db } = database;
  const { key } = await keys.create(db, { userId: 2, description: "Test" }, new Date());
  const engine = createEngine(db);
  const files = createFiles(join(folder, "files"));
  const databases = { main: db, replica: db, slow: db, jobs: db };
  const app = await buildApp({ config: CONFIG, db: databases, files, now: () => new Date() }, engine);
  const get = async (url: string) => (await send(app, { url, key })).body;
  try {
    expect(await get("/api/followers/users")).toMatchObject([{ username: "marco" }]);
    expect(await get("/api/follows/tags")).toMatchObject([{ name: "wool", points: 3 }]);
    expect(await get("/api/organizations/guild")).toMatchObject({ name: "Guild" });
    expect(await get("/api/organizations")).toMatchObject([{ slug: "guild" }]);
    expect(await get("/api/organizations/guild/users")).toMatchObject([{ username: "noor" }]);
    expect(await get("/api/organizations/guild/articles")).toMatchObject([{ slug: "looms-1a" }]);
    expect(await get("/api/profile_images/noor")).toMatchObject({ image_of: "user" });
  } finally {
    await app.close();
    await engine.renderPool.close();
    engine.images.close();
  }
});
