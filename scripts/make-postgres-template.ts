import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { chooseAccount, runAs } from "../src/platform/db/embedded/account.ts";
import { findBinaries } from "../src/platform/db/embedded/binaries.ts";
import { SUPERUSER, TEMPLATE_FILE, type TemplateIndex } from "../src/platform/db/embedded/data-files.ts";
import { makePrivateDir } from "../src/platform/db/embedded/data-dirs.ts";

// Writes the cluster that every site begins with. Run it after every update of PostgreSQL.

const INIT = ["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions"];

const log = (line: string) => console.error(line);
const spareDir = mkdtempSync(join(tmpdir(), "inkstone-engine-"));
const cluster = join(tmpdir(), `inkstone-template-${process.pid}`);
try {
  const account = chooseAccount(cluster);
  const binaries = findBinaries({ account, makeSpareDir: () => spareDir, log });
  makePrivateDir(cluster, account);
  const initdb = spawnSync(join(binaries.dir, "bin/initdb"), ["-D", cluster, ...INIT], {
    ...runAs(account),
    encoding: "utf8",
  });
  if (initdb.status !== 0) throw new Error(initdb.stderr);
  const archive = pack(cluster, binaries.version);
  mkdirSync(dirname(TEMPLATE_FILE), { recursive: true });
  writeFileSync(TEMPLATE_FILE, compress(archive));
} finally {
  rmSync(cluster, { recursive: true, force: true });
  rmSync(spareDir, { recursive: true, force: true });
}

/** An index in one line of JSON, then every distinct content once. */
function pack(directory: string, version: string): Buffer {
  const index: TemplateIndex = { version, directories: [], contents: [], files: [] };
  const contents: Buffer[] = [];
  const numbers = new Map<string, number>();
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: relative(directory, join(entry.parentPath, entry.name)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { entry, path } of entries) {
    if (entry.isDirectory()) {
      index.directories.push(path);
      continue;
    }
    const content = readFileSync(join(directory, path));
    const digest = createHash("sha256").update(content).digest("hex");
    const number = numbers.get(digest) ?? contents.push(content) - 1;
    numbers.set(digest, number);
    index.files.push([path, number]);
  }
  index.contents = contents.map(({ length }) => length);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents]);
}

function compress(archive: Buffer): Buffer {
  return brotliCompressSync(archive, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
    },
  });
}
