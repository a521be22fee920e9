import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createFiles } from "../src/platform/files/files.ts";
import { builtProgram, IS_LONG } from "./setup.ts";
import { bytesOf } from "./community-file.ts";
import { createDatabase, ownerTo } from "./database.ts";
import { newDataDir } from "./engine-process.ts";
import { SITE } from "./records.ts";
import { urlOf } from "./commands.ts";
import { type S3Store, startS3Store } from "./s3-store.ts";

/** The commands of docs/run/move.md, as they stand there. */
const PAGE = readFileSync(join(import.meta.dirname, "..", "docs/run/move.md"), "utf8");

const UPLOAD = "uploads/0123456789abcdef0123456789abcdef.png";

const folder = mkdtempSync(join(tmpdir(), "inkstone-moves-"));
const embedded = { DATA_DIR: newDataDir() };
const another = { DATA_DIR: newDataDir() };
let own: Awaited<ReturnType<typeof createDatabase>>;
let exported: string;

/** Runs a line of the shell with these settings and no others, and returns what it prints. */
async function shell(line: string, env: Record<string, string>): Promise<string> {
  const path = `${folder}/bin:${process.env["PATH"]}`;
  const args = ["--norc", "-o", "pipefail", "-c", line];
  return promisify(execFile)("/bin/bash", args, { cwd: folder, env: { PATH: path, ...env } }).then(
    ({ stdout }) => stdout,
  );
}

function documented(line: string): string {
  expect(PAGE).toContain(line);
  return line;
}

const exportOf = (env: Record<string, string>) => shell("inkstone export - --with-secrets", env);

beforeAll(async () => {
  own = await createDatabase("template1");
  mkdirSync(`${folder}/bin`);
  writeFileSync(`${folder}/bin/inkstone`, `#!/bin/sh\nexec ${process.execPath} ${builtProgram()} "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, "community.ndjson"), bytesOf(SITE));
  await shell("inkstone import community.ndjson", embedded);
  await createFiles(join(embedded.DATA_DIR, "files")).put(UPLOAD, Buffer.from("a picture"));
  exported = await exportOf(embedded);
});
afterAll(async () => {
  await own.drop();
  for (const each of [folder, embedded.DATA_DIR, another.DATA_DIR])
    rmSync(each, { recursive: true, force: true });
});

const ownEnv = () => ({
  DATABASE_URL: urlOf(own.name),
  DATABASE_OWNER_URL: urlOf(own.name, ownerTo(own.name)),
  DATA_DIR: join(folder, "data"),
});

describe("a site moves with two commands", () => {
  test("from the embedded PostgreSQL to one's own, which may be another version", async () => {
    await shell(documented("inkstone backup site.tar"), embedded);
    const said = await shell(documented("inkstone restore site.tar"), ownEnv());
    expect(said).toContain("All checks of `inkstone doctor --verify` passed.");
    expect(await exportOf(ownEnv())).toBe(exported);
  });

  test("and to another computer, on the embedded PostgreSQL, through a pipe", async () => {
    // A program that runs a command there.
    writeFileSync(
      `${folder}/bin/ssh`,
      `#!/bin/sh\nshift\nunset DATABASE_URL DATABASE_OWNER_URL\nDATA_DIR=${another.DATA_DIR} exec sh -c "$*"\n`,
      { mode: 0o755 },
    );
    const line = documented(
      'inkstone backup - | ssh another-computer "cd inkstone && node bin/inkstone.js restore -"',
    );
    const said = await shell(line.replace("cd inkstone && node bin/inkstone.js", "inkstone"), ownEnv());
    expect(said).toContain("All checks of `inkstone doctor --verify` passed.");
    expect(await exportOf(another)).toBe(exported);
    const file = await createFiles(join(another.DATA_DIR, "files")).get(UPLOAD);
    expect(file?.size).toBe(9);
    file?.stream.destroy();
  });

  test(
    "to a new major version of the embedded PostgreSQL, as its refusal says",
    { skip: !IS_LONG },
    async () => {
      await shell("inkstone backup --force site.tar", embedded);
      const cluster = join(embedded.DATA_DIR, "postgres");
      writeFileSync(join(cluster, "PG_VERSION"), "17\n");
      await expect(shell("inkstone migrate", embedded)).rejects.toThrow(
        `run \`inkstone backup FILE\` with the version of Inkstone that wrote it, move ${cluster} away, then run \`inkstone restore FILE\` with this one`,
      );
      renameSync(cluster, `${cluster}-17`);
      // The files of the site stay where they are.
      await shell("inkstone restore site.tar", embedded);
      expect(await exportOf(embedded)).toBe(exported);
    },
  );
});

describe("the files of a site move with two commands", () => {
  let store: S3Store;
  afterEach(() => store.stop());

  test("from a folder to an S3 store and back", async () => {
    store = await startS3Store();
    const s3 = { ...another, ...store.env };
    await shell(documented("inkstone files copy --to s3"), s3);
    await shell(documented("inkstone doctor --verify"), s3);
    expect([...store.objects.keys()]).toEqual([UPLOAD]);
    rmSync(join(another.DATA_DIR, "files"), { recursive: true });
    await shell(documented("inkstone files copy --to disk"), s3);
    await shell("inkstone doctor --verify", another);
    const file = await createFiles(join(another.DATA_DIR, "files")).get(UPLOAD);
    expect(file?.size).toBe(9);
    file?.stream.destroy();
  });
});
