import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { writeArticle } from "./corpus/articles.ts";
import { createPeople, writePeople } from "./corpus/people.ts";
import { createPlanting } from "./corpus/planted.ts";
import { createRandom } from "./corpus/random.ts";
import { createWriter, makeVocabulary } from "./corpus/words.ts";
import { wholeNumber } from "./kit.ts";

export interface CorpusOptions {
  articles: number;
  /** The same seed, number of articles and `until` give the same bytes. */
  seed: number;
  /** When the newest article was published; now when left out. */
  until?: Date;
  /** Longer bodies are cut. */
  mostBytes?: number;
}

/**
 * Writes a community whose articles look like real ones to a search engine and to a renderer: the
 * lines of a community file, in memory that doesn't grow with them.
 */
export function* corpus({
  articles,
  seed,
  until = new Date(),
  mostBytes = Infinity,
}: CorpusOptions): Generator<string> {
  const random = createRandom(seed);
  const vocabulary = makeVocabulary(seed);
  const word = createWriter(random, vocabulary);
  for (const record of writePeople({ articles, random, vocabulary })) yield `${JSON.stringify(record)}\n`;
  const people = createPeople({ articles, random, vocabulary });
  const plantedIn = createPlanting(articles);
  for (let number = 0; number < articles; number += 1) {
    const record = writeArticle({
      number,
      pen: { random, word },
      people,
      planted: plantedIn(number),
      mostBytes,
      publishedAt: dateOf(number + random.next(), articles, until),
    });
    yield `${JSON.stringify(record)}\n`;
  }
}

const THREE_YEARS_MS = 3 * 365 * 86_400_000;

/** Articles come at an even pace, the oldest first, as they would have got their ids. */
function dateOf(place: number, articles: number, until: Date): string {
  const time = until.getTime() - THREE_YEARS_MS * (1 - place / articles);
  return new Date(Math.floor(time / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

const MOST_ARTICLES = 10_000_000;

if (import.meta.filename === process.argv[1]) await run();

async function run(): Promise<void> {
  try {
    const { values } = parseArgs({
      options: {
        articles: { type: "string", default: "10000" },
        seed: { type: "string", default: "1" },
        until: { type: "string" },
      },
    });
    const articles = wholeNumber("--articles", values.articles, 1, MOST_ARTICLES);
    const seed = wholeNumber("--seed", values.seed, 0, 2 ** 32 - 1);
    const until = values.until === undefined ? new Date() : moment(values.until);
    await pipeline(Readable.from(corpus({ articles, seed, until })), process.stdout);
  } catch (error) {
    // The reader may have stopped early, as `head` does.
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return;
    process.stderr.write(`corpus: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function moment(text: string): Date {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new Error(`--until must be a date like 2026-01-31T12:00:00Z, not ${JSON.stringify(text)}`);
}
