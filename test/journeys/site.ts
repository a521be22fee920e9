import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect } from "vitest";
import { commandsWith } from "../own-commands.ts";
import { urlOf } from "../program.ts";
import { startWorld, type World } from "../world.ts";

/** A community that an operator fills and changes with the program, and whose server answers meanwhile. */
export function siteForAll() {
  let world: World;
  let database: string;
  beforeAll(async () => {
    world = await startWorld();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    database = urlOf(rows[0]?.name ?? "");
  });
  afterAll(() => world.stop());
  const run = commandsWith(() => ({ DATABASE_URL: database, DATA_DIR: world.context.config.dataDir }));

  async function inkstone(...args: string[]): Promise<Record<string, unknown>> {
    const { code, out, err } = await run(...args, "--json");
    expect([code, err]).toEqual([0, ""]);
    return JSON.parse(out) as Record<string, unknown>;
  }

  /** Puts bytes into a file for a command. */
  async function withFile<T>(content: string | Buffer, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(tmpdir(), `inkstone-${randomUUID()}`);
    await writeFile(path, content);
    try {
      return await work(path);
    } finally {
      await rm(path);
    }
  }

  return {
    inkstone,
    withFile,
    /** Imports these records, none of which the site may have already. */
    async bring(...records: object[]): Promise<void> {
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
      const tally = await withFile(text, (path) => inkstone("import", path));
      expect(tally).toMatchObject({ created: records.length, skipped: 0 });
    },
    /** A key of this person. */
    async keyOf(user: string): Promise<string> {
      const { api_key } = await inkstone("key", "create", "--user", user, "--description", "Journey");
      return String(api_key);
    },
    get: async (url: string, key?: string) => (await world.get(url, { key })).body,
    /** Asks the server, for `expect.poll`. */
    answerTo: (url: string, key?: string) => async () => (await world.get(url, { key })).body,
    /** The first of the things in an answer. */
    async firstOf(url: string): Promise<{ id: number } & Record<string, unknown>> {
      const [first] = (await world.get(url)).body as ({ id: number } & Record<string, unknown>)[];
      if (first === undefined) throw new Error(`${url} is empty`);
      return first;
    },
    reply: (url: string) => world.get(url),
  };
}

/** A list of exactly these, each with at least what is said of it. */
export const listOf = (...items: object[]): unknown[] =>
  items.map((item) => expect.objectContaining(item) as unknown);
