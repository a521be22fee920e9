import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { commandsWith } from "./own-commands.ts";
import { databaseForAll } from "./own-database.ts";
import { urlOf } from "./program.ts";

export type Fields = Record<string, unknown>;

export interface Report {
  created: number;
  updated: number;
  unchanged: number;
  left_out: { type: string; name: string; reason: string }[];
  remarks: { text: string; count: number }[];
  pictures: { made: number };
}

/** One site for all tests of a file, and the commands that import into it. */
export function foreignImports(more: Record<string, string> = {}) {
  const database = databaseForAll();
  let folder: string;
  let serial = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-import-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name), DATA_DIR: folder, ...more }));

  async function exported(type: string): Promise<Fields[]> {
    const { out } = await inkstone("export", "-", "--only", type);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Fields);
  }

  return {
    database,
    inkstone,
    exported,
    /** A path in the folder of these tests. */
    path: (name: string) => join(folder, name),
    /** One that no other test uses. */
    newPath: (name: string) => join(folder, `${++serial}-${name}`),
    async file(content: string | Buffer, name = "export.json"): Promise<string> {
      const path = join(folder, `${++serial}-${name}`);
      await writeFile(path, content);
      return path;
    },
    /** Imports files, which succeeds. */
    async load(...files: string[]): Promise<Report> {
      const { code, out, err } = await inkstone("import", ...files, "--json");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return JSON.parse(out) as Report;
    },
    /** The sentence with which a file is refused. */
    async refusal(path: string, ...options: string[]): Promise<string> {
      const { code, out, err } = await inkstone("import", path, ...options);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      return err.replaceAll(path, "FILE");
    },
    article: async (slug: string) => (await exported("article")).find((record) => record["slug"] === slug),
    user: async (username: string) =>
      (await exported("user")).find((record) => record["username"] === username),
    /** How much there is on the site. */
    async count(): Promise<number> {
      return (await exported("article,user,comment,retired_path")).length;
    },
  };
}
