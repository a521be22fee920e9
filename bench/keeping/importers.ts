import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Finding, found, times } from "../growth/finding.ts";
import { say } from "../kit.ts";
import { SEED } from "../measure/corpus-dir.ts";
import { newDataDir } from "../measure/data-dir.ts";
import { command } from "../measure/program.ts";
import { EXPORTS } from "./exports.ts";

const MOST_TIMES = 1.5;
const MOST_MEMORY_MIB = 250;
/** Of a larger site, importers show no more than the community file of `openSite` does. */
const MOST_ARTICLES = 10_000;

/** Imports of other programs' exports, beside that of a community file with the same people and articles. */
export async function measureImporters({ articles }: { articles: number }): Promise<Finding[]> {
  if (articles > MOST_ARTICLES) return [];
  const until = new Date();
  const findings: Finding[] = [];
  let beside = NaN;
  for (const { program, extension, write, options = [] } of EXPORTS) {
    say(`Importing ${articles} articles of ${program}`);
    const dataDir = newDataDir();
    const file = `${dataDir.path}.${extension}`;
    try {
      await pipeline(Readable.from(write({ articles, seed: SEED, until })), createWriteStream(file));
      // The time is that of the import, without the set-up of the database.
      await command(dataDir.path, ["user", "create", "--username", "bench", "--name", "Bench"]);
      const startedAt = performance.now();
      const { memory, out } = await command(dataDir.path, ["import", file, "--json", ...options]);
      const now = (performance.now() - startedAt) / 1_000;
      const { created } = JSON.parse(out) as { created: number };
      if (created < articles)
        throw new Error(`Only ${created} of ${articles} articles of ${program} were made.`);
      if (Number.isNaN(beside)) beside = now;
      else {
        const name = `Import of ${articles} articles of ${program} beside the community file of the same`;
        findings.push(
          times(`${name}: time`, { now, beside, unit: "s", atMost: MOST_TIMES }),
          found("… memory without PostgreSQL", { value: memory.own, unit: "MiB", atMost: MOST_MEMORY_MIB }),
        );
      }
    } finally {
      await dataDir.leave();
      await rm(file, { force: true });
    }
  }
  return findings;
}
