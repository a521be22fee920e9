import { busiestAuthor, tagNames } from "../corpus/people.ts";
import { createRandom, type Random } from "../corpus/random.ts";
import { makeVocabulary } from "../corpus/words.ts";
import { type Client, createClient } from "../measure/http.ts";
import type { CorpusDir } from "../measure/corpus-dir.ts";
import { type Program, serve, type Server } from "../measure/program.ts";
import { untilLoaded } from "../measure/start-up.ts";

/** A running site of one size, and what is known about its corpus. */
export interface Site extends Server {
  articles: number;
  dataDir: string;
  client: Client;
  random: Random;
  vocabulary: readonly string[];
  commonTag: string;
  rareTag: string;
  author: string;
  /** The age of its newest article: the last seven days of the corpus ended this many days ago. */
  ageDays: number;
  stop(): Promise<void>;
}

/** Serves a data directory to one client, which has one connection. */
export async function openSite(dir: CorpusDir, program: Program): Promise<Site> {
  const { path: dataDir, articles, seed, madeAt } = dir;
  const { stop: stopServing, ...serving } = await serve(dataDir, { program });
  const client = createClient(serving.baseUrl);
  const stop = () => {
    client.close();
    return stopServing();
  };
  try {
    await untilLoaded(serving);
  } catch (error) {
    await stop();
    throw error;
  }
  const vocabulary = makeVocabulary(seed);
  const tags = tagNames(articles, vocabulary);
  return {
    ...serving,
    articles,
    dataDir,
    client,
    random: createRandom(seed),
    vocabulary,
    commonTag: tags[0] as string,
    rareTag: tags.at(-1) as string,
    author: busiestAuthor(vocabulary),
    ageDays: Math.floor((Date.now() - madeAt) / 86_400_000),
    stop,
  };
}
