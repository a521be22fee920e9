import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newDataDir } from "../../../../test/engine-process.ts";
import { EngineError } from "./account.ts";
import { openEngine } from "./engine.ts";
import { TEMPLATE_FILE, type TemplateIndex } from "./data-files.ts";

describe("A data directory", () => {
  let dataDir: string;
  let cluster: string;
  beforeEach(() => {
    dataDir = newDataDir();
    cluster = join(dataDir, "postgres");
    mkdirSync(cluster, { recursive: true });
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const open = () => openEngine({ dataDir, holder: "server", log: () => {} });

  test("of another major version is refused, with the way to move it", async () => {
    writeFileSync(join(cluster, "PG_VERSION"), "17\n");
    await expect(open()).rejects.toThrow(
      new EngineError(
        `${cluster} was written by PostgreSQL 17 and this version of Inkstone brings PostgreSQL 18: run \`inkstone backup FILE\` with the version of Inkstone that wrote it, move ${cluster} away, then run \`inkstone restore FILE\` with this one.`,
      ),
    );
    expect(readFileSync(join(cluster, "PG_VERSION"), "utf8")).toBe("17\n");
  });

  test("with something else where the database belongs is refused and left alone", async () => {
    writeFileSync(join(cluster, "notes.txt"), "mine");
    await expect(open()).rejects.toThrow(/has files in it but is not a PostgreSQL database: move it away/);
    expect(readFileSync(join(cluster, "notes.txt"), "utf8")).toBe("mine");
  });

  test("may hold an empty directory for the database, and what an interrupted start left", async () => {
    mkdirSync(`${cluster}.new/base`, { recursive: true });
    const engine = await open();
    await engine.stop();
    expect(readFileSync(join(cluster, "PG_VERSION"), "utf8")).toBe("18\n");
  });

  test("that is a file is refused", async () => {
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    const opened = openEngine({ dataDir: file, holder: "server", log: () => {} });
    await expect(opened).rejects.toThrow(`${file} is not a directory: set DATA_DIR to a directory.`);
  });

  test("with a damaged database says what PostgreSQL complains about", async () => {
    await (await open()).stop();
    rmSync(join(cluster, "global/pg_control"));
    await expect(open()).rejects.toThrow(/PostgreSQL could not start on .*pg_control/);
  });
});

describe("The template of a new cluster", () => {
  test("was made by the PostgreSQL that is installed", () => {
    const archive = brotliDecompressSync(readFileSync(TEMPLATE_FILE));
    const index = JSON.parse(archive.toString("utf8", 0, archive.indexOf("\n"))) as TemplateIndex;
    const packageFile = new URL("../../../../package.json", import.meta.url);
    const { optionalDependencies } = JSON.parse(readFileSync(packageFile, "utf8")) as {
      optionalDependencies: Record<string, string>;
    };
    for (const version of Object.values(optionalDependencies))
      expect(version).toMatch(new RegExp(`^${index.version}\\.`));
  });
});
