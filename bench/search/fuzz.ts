import { MAX_QUERY } from "../../src/search/index/query-parts.ts";
import { COMMON_WORDS } from "../corpus/common-words.ts";
import { PLANTED } from "../corpus/planted.ts";
import { type Random, createRandom } from "../corpus/random.ts";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
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

/** Asks for ever other text of the longest length. */
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

/** Writes a piece of a query. */
type Piece = (random: Random, vocabulary: readonly string[]) => string;

const OPERATORS =
  `& | ! ( ) < > : * - + " ' \\ ~ ^ % _ @ # $ { } [ ] ? / . , ; = “ ” <-> :* AND OR NOT ""`.split(" ");
const SPACES = [" ", "\t", "\n", "\u00a0", "\u3000", "\u0000"];
const BLOCKS = [
  [0x4e00, 0x9fff],
  [0x3041, 0x30ff],
  [0xac00, 0xd7a3],
  [0x0e01, 0x0e4e],
  [0x0430, 0x044f],
  [0x0621, 0x064a],
] as const;

const PIECES: readonly Piece[] = [
  (random) => run(random, 8, () => anyCharacter(random)),
  (random) => {
    const [from, to] = random.pick(BLOCKS);
    return run(random, 12, () => String.fromCodePoint(random.between(from, to)));
  },
  (random) => run(random, 4, () => random.pick(OPERATORS) + random.pick(["", " "])),
  (random, vocabulary) => ` ${random.pick(vocabulary)} `,
  (random, vocabulary) => ` ${vocabulary[random.between(0, 50)] as string} `,
  (random) => ` ${random.pick(COMMON_WORDS.slice(0, 60))} `,
  (random) => ` ${random.pick(PLANTED).word} `,
  (random) => ` "${run(random, 5, () => `${random.pick(COMMON_WORDS.slice(0, 30))} `)}" `,
  (random, vocabulary) => ` "${vocabulary[random.between(0, 30)] as string} ${random.pick(vocabulary)}" `,
  (random, vocabulary) => ` -${random.pick(vocabulary)} `,
  (random) => ` ${letter(random)}`,
  (random) => run(random, 10, () => random.pick(SPACES)),
];

/** Queries of one kind of piece are as frequent as mixtures of two, three and more. */
function writeFuzz(random: Random, vocabulary: readonly string[]): string {
  const pieces = Array.from({ length: random.between(1, 4) }, () => random.pick(PIECES));
  let text = "";
  while (lengthOf(text) < MAX_QUERY) text += random.pick(pieces)(random, vocabulary);
  // The last word may go on: a letter alone is the beginning of very many.
  const ending = random.next() < 0.25 ? ` ${letter(random)}` : "";
  return (
    Array.from(text)
      .slice(0, MAX_QUERY - lengthOf(ending))
      .join("") + ending
  );
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function run(random: Random, most: number, make: () => string): string {
  return Array.from({ length: random.between(1, most) }, make).join("");
}

function letter(random: Random): string {
  return String.fromCodePoint(random.between(0x61, 0x7a));
}

/** Any but surrogates, which no address can hold alone. */
function anyCharacter(random: Random): string {
  const code = random.between(1, random.next() < 0.5 ? 0x2fff : 0x10ffff);
  return code >= 0xd800 && code <= 0xdfff ? "\ufffd" : String.fromCodePoint(code);
}
