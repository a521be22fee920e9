import { open } from "node:fs/promises";
import type { Command } from "commander";
import type { Summary } from "../community-file/import.ts";
import { readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { createRenderPool } from "../text/render-pool.ts";
import { progressLine, startProgress } from "./progress.ts";
import { count, type JsonOption, note, printResult } from "./output.ts";
import { parseTypes } from "./types-option.ts";
import { withDatabase } from "./with-database.ts";

interface ImportArguments extends JsonOption {
  only?: string[];
  skipInvalid?: boolean;
}

const CHUNK_BYTES = 256 * 1024;
/** A second one brings no more speed, because the rest of an import takes longer, and costs 70 MB. */
const RENDERERS = 1;

export function addImport(program: Command): void {
  program
    .command("import")
    .description("import a community file, whole or not at all")
    .argument("<file>", "NDJSON, one record per line; - reads standard input")
    .option("--only <types>", "import records of these types only, separated by commas", parseTypes)
    .option("--skip-invalid", "leave bad records out and say why instead of stopping at the first")
    .option("--json", "print the summary as a JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  inkstone import community.ndjson\n  zcat old.ndjson.gz | inkstone import - --only user,article",
    )
    .action(async (file: string, options: ImportArguments) => {
      const startedAt = performance.now();
      // A file that can't be read is told of before anything is started.
      const { source, size } = await openSource(file);
      const summary = await withDatabase(options, ({ db }) => load(db, { source, size, options }));
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      if (!options.json) for (const { line, reason } of summary.bad) note(`line ${line}: ${reason}`);
      printResult(options, { ...summary, seconds }, () => describe(summary, seconds));
    });
}

interface Source {
  source: AsyncIterable<Buffer>;
  /** Undefined for a stream, whose end nobody knows. */
  size: number | undefined;
}

async function openSource(file: string): Promise<Source> {
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
  { source, size, options }: Source & { options: ImportArguments },
): Promise<Summary> {
  const { importFile } = await import("../community-file/import.ts");
  const renderPool = createRenderPool({ size: RENDERERS, baseUrl: readConfig().baseUrl });
  const progress = startProgress(options);
  try {
    return await importFile(db, source, {
      now: new Date(),
      renderPool,
      skipInvalid: options.skipInvalid ?? false,
      ...(options.only && { only: options.only }),
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
