import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "./corpus/random.ts";
import { runBench, say, wholeNumber } from "./entry.ts";
import { createClient } from "./measure/client.ts";
import { build, serve } from "./measure/program.ts";
import { type Corpus, readCorpus } from "./relevance/corpus.ts";
import { readJudged } from "./relevance/judged-file.ts";
import { take } from "./relevance/judged.ts";
import { KINDS } from "./relevance/kinds.ts";
import { describeMiss, writeRelevanceReport } from "./relevance/report.ts";
import { type Score, scoreKind } from "./relevance/score.ts";
import { prepareSource } from "./relevance/source.ts";
import { round, writeReadme } from "./report.ts";

const DEMO_JUDGED = join(import.meta.dirname, "judged/demo.json");

/** Fewer derived queries than this say little. */
const ENOUGH = 200;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      demo: { type: "boolean", default: false },
      judged: { type: "string" },
      only: { type: "string", default: "user,organization,tag,article" },
      keep: { type: "string" },
      seed: { type: "string", default: "1" },
      describe: { type: "string" },
      verbose: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const seed = wholeNumber("--seed", values.seed, { from: 0, to: 2 ** 32 - 1 });
  const file = fileOf(positionals, values.demo);
  await build();
  const keep = values.keep === undefined ? undefined : resolve(values.keep);
  const source = await prepareSource({ file, only: values.only, keep });
  try {
    const corpus = await readCorpus(source.file);
    const judgedFile = values.judged ?? (values.demo ? DEMO_JUDGED : undefined);
    const { derived, judged } = await score(source.dataDir, { corpus, seed, judgedFile });
    tell(derived, judged, values.verbose);
    const community = values.describe ?? `${round(corpus.articles.length)} articles`;
    const report = `${writeRelevanceReport(derived, judged)}\n\n${describe(community, values.demo)}`;
    process.stdout.write(`${report}\n`);
    if (values.write) await writeReadme("relevance results", report);
  } finally {
    await source.leave();
  }
}

function fileOf([file, ...others]: string[], isDemo: boolean): string | undefined {
  if (isDemo === (file === undefined) && others.length === 0)
    return file === undefined ? undefined : resolve(file);
  throw new Error("Name one community file, or --demo instead of it.");
}

interface Scores {
  derived: Score[];
  judged: Score[];
}

async function score(
  dataDir: string,
  { corpus, seed, judgedFile }: { corpus: Corpus; seed: number; judgedFile: string | undefined },
): Promise<Scores> {
  // Read first, so that a fault in it shows at once.
  const queries = judgedFile === undefined ? undefined : await readJudged(judgedFile, corpus);
  const { baseUrl, stop } = await serve(dataDir);
  const client = createClient(baseUrl);
  try {
    const derived: Score[] = [];
    for (const { name, wanted, derive } of KINDS) {
      say(name);
      const judged = take(derive(corpus, createRandom(seed)), wanted);
      if (judged.length > 0) derived.push(await scoreKind(client, name, judged));
    }
    const judged: Score[] = [];
    for (const [name, some] of queries ?? []) judged.push(await scoreKind(client, name, some));
    return { derived, judged };
  } finally {
    client.close();
    await stop();
  }
}

function tell(derived: Score[], judged: Score[], isVerbose: boolean): void {
  for (const { name, misses } of [...(isVerbose ? derived : []), ...judged]) {
    if (misses.length > 0) say(`Not first: ${name}`);
    for (const miss of misses) say(describeMiss(miss));
  }
  const queries = derived.reduce((sum, score) => sum + score.queries, 0);
  if (queries < ENOUGH) say(`Only ${queries} queries could be derived: a larger corpus says more.`);
}

function describe(community: string, isDemo: boolean): string {
  const command = `npm run bench:relevance -- ${isDemo ? "--demo" : "FILE.ndjson"}`;
  return `${new Date().toISOString().slice(0, 10)}, \`${command}\`, a community of ${community}.`;
}

await runBench("bench:relevance", run);
