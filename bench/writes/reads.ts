import { say } from "../kit.ts";
import { openCorpus } from "../lines/corpus.ts";
import { commonWord } from "../lines/fresh-search.ts";
import { keptList } from "../lines/pages.ts";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
import { openReader, type Reader } from "../measure/reader.ts";
import { type Times, rateOf, repeat, settle } from "./cost.ts";
import type { Line } from "./lines.ts";
import { create, openSite, type Site } from "./site.ts";

/** A kind of read, without writes and beside them. */
export interface Read {
  name: string;
  idle: Percentiles;
  beside: Percentiles;
}

const WRITES_A_SECOND = 100;
/** Less than this isn't the pace that is asked for. */
const LEAST_WRITES_A_SECOND = 95;

/** With writes and without in turns, so that a slow minute of the computer hits both. */
const ROUNDS = 2;
/** So that connections are open, statements planned and functions compiled. */
const WARM_UP_S = 10;

/** Readers who ask at an even pace leave time for the writes. */
const KINDS = [
  { line: keptList, perSecond: 200 },
  { line: commonWord, perSecond: 50 },
];

interface Options {
  dataDir: string;
  articles: number;
  seed: number;
  connections: number;
  /** With writes, and as long without. */
  seconds: number;
}

/** Reads and writes a corpus. */
export async function measureReads(options: Options): Promise<{ reads: Read[]; writes: Line }> {
  const { dataDir, connections, seconds } = options;
  const corpus = openCorpus(options);
  const site = await openSite(dataDir, connections);
  const readers: Reader[] = [];
  try {
    const { baseUrl } = site.serving;
    for (const { line, perSecond } of KINDS) {
      const { paths } = await line.requests({ baseUrl, corpus });
      readers.push(openReader({ url: baseUrl, paths, perSecond }));
    }
    say(`Reads beside ${WRITES_A_SECOND} new articles a second, and without`);
    const warmUps = readers.map((reader) => reader.read(WARM_UP_S));
    await Promise.all([writeFor(site, WARM_UP_S), ...warmUps]);
    const written: Times[] = [];
    const taken = KINDS.map(({ line: { name } }) => ({ name, idle: [] as number[], beside: [] as number[] }));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ["idle", "beside"] as const) {
        await settle(site);
        const writing = kind === "beside" ? writeFor(site, seconds / ROUNDS) : undefined;
        const times = await Promise.all(readers.map((reader) => reader.read(seconds / ROUNDS)));
        for (const [index, part] of times.entries()) taken[index]?.[kind].push(...part);
        if (writing) written.push(await writing);
      }
    }
    const reads = taken.map(({ name, idle, beside }) => {
      return { name, idle: percentiles(idle), beside: percentiles(beside) };
    });
    const name = `Create ${WRITES_A_SECOND} articles a second beside the reads`;
    return { reads, writes: { name, ...rateOf(written), targets: { perSecond: LEAST_WRITES_A_SECOND } } };
  } finally {
    for (const reader of readers) reader.close();
    await site.close();
  }
}

function writeFor(site: Site, seconds: number): Promise<Times> {
  const options = { places: site.connections, seconds, perSecond: WRITES_A_SECOND };
  return repeat(options, async (place) => void (await create(site, place)));
}
