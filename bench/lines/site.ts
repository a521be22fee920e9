import { tagNames } from "../corpus/people.ts";
import { createRandom, type Random } from "../corpus/random.ts";
import { makeVocabulary } from "../corpus/words.ts";
import type { Request } from "../measure/orders.ts";

/** The running site, and what is known about its corpus. */
export interface Site {
  baseUrl: string;
  articles: number;
  random: Random;
  vocabulary: readonly string[];
  /** The most used first. */
  tags: readonly string[];
}

/** One kind of request, measured next to a bare server. */
export interface Line {
  name: string;
  /** The least share of the bare server's requests per second that is good enough. */
  floor?: number;
  requests(site: Site): Request[] | Promise<Request[]>;
}

/**
 * So many different requests take longer than an answer is remembered, so that the database is asked
 * every time; a server that answers more than 4,000 of them per second needs more.
 */
export const ENOUGH_TO_MISS = 4_096;

export function describeSite(baseUrl: string, { articles, seed }: { articles: number; seed: number }): Site {
  const vocabulary = makeVocabulary(seed);
  return { baseUrl, articles, random: createRandom(seed), vocabulary, tags: tagNames(articles, vocabulary) };
}
