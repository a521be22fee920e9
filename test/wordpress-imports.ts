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
  left_out: { type: string; name: string; reason: string }[];
  remarks: { text: string; count: number }[];
}

/** A site for all tests of a file, into which exports are imported. */
export function wordpressImports() {
  const database = databaseForAll();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-wxr-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name), DATA_DIR: folder }));

  /** Imports files, which succeeds. */
  async function loadFiles(files: string[], ...options: string[]): Promise<Report> {
    const { code, out, err } = await inkstone("import", ...files, ...options, "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return JSON.parse(out) as Report;
  }

  async function load(content: string, ...options: string[]): Promise<Report> {
    const path = join(folder, "export.xml");
    await writeFile(path, content);
    return loadFiles([path], ...options);
  }

  /** The records of a type on the site. */
  async function exported(type: string): Promise<Fields[]> {
    const { out } = await inkstone("export", "-", "--only", type);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Fields);
  }

  return {
    database,
    get folder() {
      return folder;
    },
    inkstone,
    load,
    loadFiles,
    exported,
    /** The article with a slug. */
    article: async (slug: string) => (await exported("article")).find((record) => record["slug"] === slug),
  };
}
