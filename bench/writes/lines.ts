import { say } from "../kit.ts";
import { type Cost, type Round, costOf, measure, repeat } from "./cost.ts";
import { create, type Site, update } from "./site.ts";

/** Limits that a run must keep, on two processors and over 16 connections. */
interface Targets {
  /** Least writes a second. */
  perSecond?: number;
  /** Most milliseconds of processor time for a write, PostgreSQL's included. */
  cpu?: number;
  /** Most kilobytes of write-ahead log for a write. */
  wal?: number;
}

/** A kind of write; figures that don't concern it are missing. */
export interface Line extends Partial<Cost> {
  name: string;
  perSecond: number;
  targets?: Targets;
}

type Work = (place: number) => Promise<void>;

interface Kind {
  name: string;
  targets: Targets;
  /** The articles that each author has published. */
  work(site: Site, published: number[][]): Work;
}

const KINDS: readonly Kind[] = [
  {
    name: "Create a published article over HTTP",
    targets: { perSecond: 200, cpu: 9, wal: 40 },
    work: (site, published) => async (place) => void published[place]?.push(await create(site, place)),
  },
  {
    name: "Create a draft over HTTP",
    targets: { perSecond: 400 },
    work: (site) => async (place) => void (await create(site, place, { published: false })),
  },
  {
    name: "Update the body of a published article over HTTP",
    targets: { perSecond: 200 },
    work(site, published) {
      const turns = published.map(() => 0);
      return (place) => {
        const own = published[place] as number[];
        const turn = (turns[place] = (turns[place] ?? 0) + 1);
        return update(site, place, own[turn % own.length] as number);
      };
    },
  },
];

/** V8 compiles what it runs often. */
const WARM_UP_S = 10;

/** Enough for the warm-up, creates, drafts and updates. */
const TEXTS_A_SECOND = 250;

/** Sites take turns, so that a slow minute of the computer hits all. */
const ROUNDS = 4;

/** Measures every kind of write, for each site. */
export async function measureLines(sites: readonly Site[], seconds: number): Promise<Line[][]> {
  const all = sites.map((site) => ({
    site,
    published: site.authors.map((): number[] => []),
    lines: [] as Line[],
  }));
  for (const { site } of all) site.texts.stock((WARM_UP_S + KINDS.length * seconds) * TEXTS_A_SECOND);
  for (const { name, targets, work } of KINDS) {
    say(name);
    const taking = all.map(({ site, published, lines }) => {
      return { site, lines, work: work(site, published), rounds: [] as Round[] };
    });
    if (name === KINDS[0]?.name)
      for (const one of taking) await run(one.site, Math.min(WARM_UP_S, seconds), one.work);
    for (let turn = 0; turn < ROUNDS; turn += 1)
      for (const one of turn % 2 === 0 ? taking : taking.toReversed())
        one.rounds.push(await run(one.site, seconds / ROUNDS, one.work));
    for (const { lines, rounds } of taking) lines.push({ name, ...costOf(rounds), targets });
  }
  return all.map(({ lines }) => lines);
}

function run(site: Site, seconds: number, work: Work): Promise<Round> {
  return measure(site, () => repeat({ places: site.connections, seconds }, work));
}
