import { busiestAuthor, tagNames } from "../corpus/people.ts";
import { createRandom, type Random } from "../corpus/random.ts";
import { makeVocabulary } from "../corpus/words.ts";
import { type Client, createClient } from "../measure/client.ts";
import { untilLoaded } from "../measure/loaded.ts";
import { serve } from "../measure/program.ts";
import type { CorpusDir } from "../measure/corpus-dir.ts";

/** A running site of one size, and what is known about its corpus. */
export interface Site {
  articles: number;
  dataDir: string;
  baseUrl: string;
  pid: number;
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

/** Serves a data directory; both kinds of client use one connection each. */
export async function openSite({ path, articles, seed, madeAt }: CorpusDir): Promise<Site> {
  const serving = await serve(path);
  const client = createClient(serving.baseUrl);
  try {
    await untilLoaded(serving);
    const vocabulary = makeVocabulary(seed);
    const tags = tagNames(articles, vocabulary);
    return {
      articles,
      dataDir: path,
      baseUrl: serving.baseUrl,
      pid: serving.pid,
      client,
      random: createRandom(seed),
      vocabulary,
      commonTag: tags[0] as string,
      rareTag: tags.at(-1) as string,
      author: busiestAuthor(vocabulary),
      ageDays: Math.floor((Date.now() - madeAt) / 86_400_000),
      stop: () => stop(client, serving.stop),
    };
  } catch (error) {
    client.close();
    await serving.stop();
    throw error;
  }
}

async function stop(client: Client, stopServing: () => Promise<void>): Promise<void> {
  client.close();
  await stopServing();
}
