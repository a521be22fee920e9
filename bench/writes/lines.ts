import { say } from "../entry.ts";
import { type BareWriter, compareRows, countRows, createBareWriter, readModel } from "./bare-sql.ts";
import { type Cost, costOf, measure, type Round } from "./cost.ts";
import { repeat } from "./pace.ts";
import type { Author } from "./people.ts";
import { create, type Site, update } from "./site.ts";

/** Limits that a run must keep, on two processors and over 16 connections. */
export interface Targets {
  /** Least writes a second. */
  perSecond?: number;
  /** Most milliseconds of processor time for a write, PostgreSQL's included. */
  cpu?: number;
  /** Most kilobytes of write-ahead log for a write. */
  wal?: number;
  /** Least share of bare SQL's writes a second. */
  ofBare?: number;
}

/** A kind of write; figures that don't concern it are missing. */
export interface Line extends Partial<Cost> {
  name: string;
  perSecond: number;
  ofBare?: number;
  targets?: Targets;
}

/** V8 compiles what it runs often. */
const WARM_UP_S = 10;

/** Enough for the warm-up, creates, drafts and updates. */
const TEXTS_A_SECOND = 250;

/** HTTP and bare SQL take turns, so that a slow minute of the computer hits both. */
const ROUNDS = 4;

/** More different ones would only fill the memory. */
const MODELS = 64;

const OWN_ARTICLES = 1_000;

export async function measureLines(site: Site, seconds: number): Promise<Line[]> {
  say("Creating articles, over HTTP and by bare SQL in turns");
  const bare = await prepareBare(site);
  const ids: number[][] = site.authors.map(() => []);
  const post = async (place: number) => void ids[place]?.push(await create(site, place));
  const insert = async () => void (await bare.write());
  site.texts.stock((WARM_UP_S + 3 * seconds) * TEXTS_A_SECOND);
  await run(site, WARM_UP_S, post);
  const rounds = { http: [] as Round[], bare: [] as Round[] };
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    rounds.http.push(await run(site, seconds / ROUNDS, post));
    rounds.bare.push(await run(site, seconds / ROUNDS, insert));
  }
  const [http, direct] = [costOf(rounds.http), costOf(rounds.bare)];
  say("Drafts");
  const draft = async (place: number) => void (await create(site, place, { published: false }));
  const drafts = costOf([await run(site, seconds, draft)]);
  say("Updates");
  const turns = ids.map(() => 0);
  const put = (place: number) => {
    const own = ids[place] as number[];
    const turn = (turns[place] = (turns[place] ?? 0) + 1);
    return update(site, place, own[turn % own.length] as number);
  };
  const updates = costOf([await run(site, seconds, put)]);
  return [
    {
      name: "Create a published article over HTTP",
      ...http,
      ofBare: http.perSecond / direct.perSecond,
      targets: { perSecond: 200, cpu: 9, wal: 40, ofBare: 0.6 },
    },
    { name: "The same rows by bare SQL", ...direct, ofBare: 1 },
    { name: "Create a draft over HTTP", ...drafts, targets: { perSecond: 400 } },
    { name: "Update the body of a published article over HTTP", ...updates, targets: { perSecond: 200 } },
    { name: "me/all?per_page=1000 over HTTP", ...(await measureOwn(site, seconds, insert)) },
  ];
}

async function run(site: Site, seconds: number, work: (place: number) => Promise<void>): Promise<Round> {
  return measure(site, () => repeat({ places: site.connections, seconds }, work), { settles: true });
}

/** Checks that it writes what the program writes. */
async function prepareBare(site: Site): Promise<BareWriter> {
  const { pool } = site;
  const models: Awaited<ReturnType<typeof readModel>>[] = [];
  let first = new Map<string, number>();
  for (let count = 0; count < MODELS; count += 1) {
    // The first author's, whose articles `me/all` lists.
    const id = await create(site, 0);
    // At once, before the server takes its tasks from the outbox.
    const [model, rows] = await Promise.all([readModel(pool, id), countRows(pool, id)]);
    if (count === 0) first = rows;
    models.push(model);
  }
  const bare = await createBareWriter(pool, models);
  compareRows(first, await countRows(pool, await bare.write()));
  return bare;
}

/** One client alone; the copies of bare SQL belong to the author of the originals. */
async function measureOwn(
  site: Site,
  seconds: number,
  insert: () => Promise<void>,
): Promise<Partial<Cost> & { perSecond: number }> {
  say("me/all");
  const { key } = site.authors[0] as Author;
  const read = () => site.send({ method: "GET", path: `/api/articles/me/all?per_page=${OWN_ARTICLES}`, key });
  while ((JSON.parse(String(await read())) as object[]).length < OWN_ARTICLES) await run(site, 1, insert);
  const times = () => repeat({ places: 1, seconds }, async () => void (await read()));
  const { wal: _, ...cost } = costOf([await measure(site, times, { settles: false })]);
  return cost;
}
