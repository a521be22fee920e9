/** Measures how well search finds the articles of a community file. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createRandom } from "./corpus/random.ts";
import { closing, FLAG, runBench, say, TEXT, text, wholeNumber } from "./kit.ts";
import { createClient } from "./measure/http.ts";
import { prepareDataDir } from "./measure/data-dir.ts";
import { command, serve } from "./measure/program.ts";
import { untilLoaded } from "./measure/start-up.ts";
import { collect } from "./relevance/collect.ts";
import { readCollection } from "./relevance/collection.ts";
import { readCorpus } from "./relevance/corpus.ts";
import { readJudged, take } from "./relevance/judged.ts";
import { KINDS } from "./relevance/kinds.ts";
import { describeMiss, type Score, scoreKind, scoresTable } from "./relevance/score.ts";
import { round } from "./report.ts";

const DEMO_JUDGED = join(import.meta.dirname, "judged/demo.json");

/** Fewer derived queries than this say little. */
const ENOUGH = 200;

await runBench("bench:relevance", {
  takesFile: true,
  options: {
    demo: FLAG,
    collection: TEXT,
    judged: TEXT,
    only: text("user,organization,tag,article"),
    keep: TEXT,
    seed: text("1"),
    describe: TEXT,
    verbose: FLAG,
  },
  section: (values) => (values.collection === undefined ? "relevance results" : undefined),
  describe: (given) => `${new Date().toISOString().slice(0, 10)}, \`${given}\``,
  async measure({ collection, demo, judged: judgedFile = demo ? DEMO_JUDGED : undefined, ...values }, files) {
    const seed = wholeNumber("--seed", values.seed, 0, 2 ** 32 - 1);
    const [file, ...others] = files.map((each) => resolve(each));
    if (
      Number(demo) + Number(collection !== undefined) + Number(file !== undefined) !== 1 ||
      others.length > 0
    )
      throw new Error("Name one community file, or --demo or --collection FILE instead of it.");
    const keep = values.keep === undefined ? undefined : resolve(values.keep);
    if (collection !== undefined)
      return { tables: [await collect(await readCollection(collection), keep)], faults: [] };
    const filled = await fillWith(file, values.only, keep);
    try {
      const { derived, judged, articles } = await score(filled, seed, judgedFile);
      tell(derived, judged, values.verbose);
      const community = values.describe ?? `${round(articles)} articles`;
      return { tables: [scoresTable(derived, judged), `A community of ${community}.`], faults: [] };
    } finally {
      await filled.leave();
    }
  },
});

/** Fills a data directory with the file, or with the demo, whose file is an export of it. */
async function fillWith(given: string | undefined, only: string, keep: string | undefined) {
  const dataDir = await prepareDataDir({ name: await nameOf(given), keep }, async (path) => {
    say("Importing");
    const file = given ?? `${path}.ndjson`;
    if (given !== undefined) await command(path, ["import", file, "--only", only]);
    else {
      await command(path, ["user", "create", "--username", "bench", "--name", "Bench"]);
      await command(path, ["demo"]);
      await command(path, ["export", file, "--only", only]);
    }
    return { file };
  });
  const leave = async () => {
    await dataDir.leave();
    if (keep === undefined && given === undefined) await rm(dataDir.file, { force: true });
  };
  return { ...dataDir, leave };
}

/** By its bytes, so that another file gets another directory. */
async function nameOf(file: string | undefined): Promise<string> {
  if (file === undefined) return "demo";
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return `relevance-${hash.digest("hex").slice(0, 12)}`;
}

function score({ path, file }: { path: string; file: string }, seed: number, judgedFile: string | undefined) {
  return closing(async (later) => {
    const corpus = await readCorpus(file);
    // Read first, so that a fault in it shows at once.
    const queries = judgedFile === undefined ? [] : await readJudged(judgedFile, corpus);
    const { stop, ...server } = await serve(path);
    later(stop);
    await untilLoaded(server);
    const { baseUrl } = server;
    const client = createClient(baseUrl);
    later(client.close);
    const derived: Score[] = [];
    for (const { name, wanted, derive } of KINDS) {
      say(name);
      const taken = take(derive(corpus, createRandom(seed)), wanted);
      if (taken.length > 0) derived.push(await scoreKind(client, name, taken));
    }
    const judged: Score[] = [];
    for (const [name, some] of queries) judged.push(await scoreKind(client, name, some));
    return { derived, judged, articles: corpus.articles.length };
  });
}

function tell(derived: Score[], judged: Score[], isVerbose: boolean): void {
  for (const { name, misses } of [...(isVerbose ? derived : []), ...judged]) {
    if (misses.length > 0) say(`Not first: ${name}`);
    for (const miss of misses) say(describeMiss(miss));
  }
  const queries = derived.reduce((sum, score) => sum + score.queries, 0);
  if (queries < ENOUGH) say(`Only ${queries} queries could be derived: a larger corpus says more.`);
}
