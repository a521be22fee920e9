import { createRandom } from "../corpus/random.ts";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
import { writeFuzz } from "./fuzz-text.ts";
import { pageSize } from "./queries.ts";
import type { Site } from "./site.ts";

interface Asked {
  path: string;
  status: number;
  milliseconds: number;
  /** Whether it took as long another time, or the computer was busy: only asked of what was too slow. */
  again?: number;
}

export interface FuzzResult extends Percentiles {
  queries: number;
  /** Answers other than 200. */
  refused: Asked[];
  slowest: Asked[];
}

/** No query may take longer, whatever it is. */
export const FUZZ_LIMIT_MS = 250;
export const FUZZ_P99_MS = 100;

const SEED = 7;
const SLOWEST = 5;

/** Asks for ever other text of 200 characters. */
export async function fuzz(site: Site, queries: number): Promise<FuzzResult> {
  const random = createRandom(SEED);
  const texts = Array.from({ length: queries }, () => writeFuzz(random, site.vocabulary));
  return timeAll(
    site,
    texts.map((q) => `/api/articles/search?${new URLSearchParams({ q })}`),
  );
}

/** Asks for the last page there could be, of a search and of a list. */
export function timeLastPage(site: Site, times: number): Promise<FuzzResult> {
  const lists = ["/api/articles/search?q=planted15pct", "/api/articles/latest?"];
  const paths = Array.from(
    { length: times },
    (_, count) => `${lists[count % 2]}&page=2147483647&per_page=${pageSize(count)}`,
  );
  return timeAll(site, paths);
}

async function timeAll({ client }: Site, paths: string[]): Promise<FuzzResult> {
  const asked: Asked[] = [];
  for (const path of paths) {
    const { status, milliseconds } = await client.ask(path);
    asked.push({ path, status, milliseconds });
  }
  const slowest = asked.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST);
  for (const slow of slowest)
    if (slow.milliseconds > FUZZ_LIMIT_MS) slow.again = (await client.ask(slow.path)).milliseconds;
  return {
    queries: asked.length,
    refused: asked.filter(({ status }) => status !== 200),
    slowest,
    ...percentiles(asked.map(({ milliseconds }) => milliseconds)),
  };
}
