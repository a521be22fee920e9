import { open } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { importFile, type ImportOptions, type Summary } from "../community-file/import.ts";
import { splitList } from "../config/rules.ts";
import { readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { createRenderPool } from "../text/render-pool.ts";
import { count } from "../text/sentences.ts";
import { action } from "./command.ts";
import { note, printResult, progressLine, startProgress } from "./output.ts";
import { withDatabase } from "./with-database.ts";

const CHUNK_BYTES = 256 * 1024;
/** A third one would wait for the database. */
const RENDERERS = 2;
/** Spares memory while the indexes of search are built. */
const IDLE_MS = 1_000;

export const addImport = action(
  {
    name: "import",
    text: "import a community file, whole or not at all",
    args: { "<file>": "NDJSON, one record per line; - reads standard input" },
    options: {
      "--only <types>": {
        text: "import records of these types only, separated by commas",
        parse: splitList,
      },
      "--skip-invalid": "leave bad records out and say why instead of stopping at the first",
    },
    json: "print the summary as a JSON object",
    examples: [
      "inkstone import community.ndjson",
      "zcat old.ndjson.gz | inkstone import - --only user,article",
    ],
  },
  async ({ file, ...wanted }: Selection & { file: string }, { json }) => {
    const options = { ...wanted, json };
    const startedAt = performance.now();
    // Refuses an unreadable file before anything starts.
    const opened = await openSource(file);
    const summary = await withDatabase(options, ({ db }) => load(db, { ...opened, options }));
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    if (!json) for (const { line, reason } of summary.bad) note(`line ${line}: ${reason}`);
    printResult(options, { ...summary, seconds }, () => describe(summary, seconds));
  },
);

type Selection = Pick<ImportOptions, "only" | "skipInvalid">;
type Source = Awaited<ReturnType<typeof openSource>>;

/** The size is undefined for a stream. */
async function openSource(file: string) {
  if (file === "-") return { source: process.stdin as AsyncIterable<Buffer>, size: undefined };
  const handle = await open(file);
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw Object.assign(new Error(), { code: "EISDIR", syscall: "read", path: file });
  }
  const source = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  return { source, size: stat.isFile() ? stat.size : undefined };
}

async function load(
  db: Db,
  { source, size, options: { json, ...wanted } }: Source & { options: Selection & { json: boolean } },
): Promise<Summary> {
  // Batches are short-lived: V8 would collect them when the heap has grown to several times its use.
  setFlagsFromString("--heap-growing-percent=20");
  const renderPool = createRenderPool({
    size: RENDERERS,
    idleMs: IDLE_MS,
    baseUrl: readConfig().baseUrl,
  });
  const progress = startProgress({ json });
  try {
    return await importFile(db, source, {
      ...wanted,
      now: new Date(),
      renderPool,
      onProgress: (done) => progress.show((seconds) => progressLine(done, { seconds, size })),
    });
  } finally {
    progress.end();
    await renderPool.close();
  }
}

function describe({ records, created, updated, unchanged, skipped }: Summary, seconds: number): string {
  const parts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`];
  return `Imported ${count(records, "record")} in ${seconds} s: ${parts.join(", ")}.`;
}
