import { sql } from "kysely";
import type { Connection } from "../../src/db/connect.ts";
import { createBareWriter } from "./bare-sql.ts";
import { createSender, type Sent } from "./over-http.ts";
import { type Rate, rateOf, repeat } from "./pace.ts";
import { type Author, makeAuthors, openForWriting } from "./people.ts";
import { createTexts } from "./texts.ts";
import { createRendered, render } from "./transaction.ts";

export interface Written {
  http: Rate;
  transaction: Rate;
  bare: Rate;
  updates: Rate;
  own: Rate;
  renderMilliseconds: number;
}

interface Options {
  baseUrl: string;
  dataDir: string;
  /** How long each kind is measured, in all. */
  seconds: number;
  connections: number;
  say: (text: string) => void;
}

/** The transaction and bare SQL take turns, so that a slow minute of the computer hits both. */
const ROUNDS = 4;

/** More different bodies would only fill the memory. */
const BODIES = 64;

const OWN_ARTICLES = 1_000;

export async function measureWrites(options: Options): Promise<Written> {
  const { dataDir, baseUrl, connections } = options;
  const connection = openForWriting(dataDir, connections);
  const sender = createSender(baseUrl);
  try {
    await requireDurability(connection);
    const authors = await makeAuthors(connection, connections);
    const direct = await measureTransactions(connection, authors, options);
    const overHttp = await measureHttp((sent) => sender.send(sent), authors, options);
    options.say("me/all");
    const reader = authors[0] as Author;
    // The copies belong to the author of the originals.
    while ((await countOf(connection, reader)) < OWN_ARTICLES) {
      await repeat(connections, 1, direct.writeBare);
    }
    const readOwn = () =>
      sender.send({ method: "GET", path: "/api/articles/me/all?per_page=1000", key: reader.key });
    const own = rateOf([await repeat(1, options.seconds, async () => void (await readOwn()))]);
    return { ...direct.rates, ...overHttp, own };
  } finally {
    sender.close();
    await connection.db.destroy();
  }
}

async function measureTransactions(
  connection: Connection,
  authors: Author[],
  { seconds, connections, say }: Options,
) {
  const next = createTexts();
  say("Rendering");
  const { bodies, milliseconds } = await render(connection.db, Array.from({ length: BODIES }, next));
  let count = 0;
  const createBy = (author: Author) => {
    count += 1;
    const body = bodies[count % bodies.length] as (typeof bodies)[number];
    return createRendered(connection.db, author, { title: `Rendered ${count}`, body });
  };
  const create = async (place: number) => void (await createBy(authors[place] as Author));
  const models: number[] = [];
  for (const _ of bodies) models.push(await createBy(authors[0] as Author));
  const writeBare = await createBareWriter(connection.pool, models);
  say("The transaction, and the same rows by bare SQL");
  const times = { transaction: [], bare: [] } as Record<
    "transaction" | "bare",
    Awaited<ReturnType<typeof repeat>>[]
  >;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    times.transaction.push(await repeat(connections, seconds / ROUNDS, create));
    times.bare.push(await repeat(connections, seconds / ROUNDS, writeBare));
  }
  const rates = {
    transaction: rateOf(times.transaction),
    bare: rateOf(times.bare),
    renderMilliseconds: milliseconds,
  };
  return { rates, writeBare };
}

async function measureHttp(
  send: (sent: Sent) => Promise<Buffer>,
  authors: Author[],
  { seconds, connections, say }: Options,
): Promise<{ http: Rate; updates: Rate }> {
  const next = createTexts();
  const ids: number[] = [];
  say("Creating over HTTP");
  const create = async (place: number) => {
    const { key } = authors[place] as Author;
    const answer = await send({ method: "POST", path: "/api/articles", key, body: { article: next() } });
    ids[place] = (JSON.parse(String(answer)) as { id: number }).id;
  };
  const http = rateOf([await repeat(connections, seconds, create)]);
  say("Updating over HTTP");
  const update = async (place: number) => {
    const { key } = authors[place] as Author;
    const { body_markdown } = next();
    await send({
      method: "PUT",
      path: `/api/articles/${ids[place]}`,
      key,
      body: { article: { body_markdown } },
    });
  };
  return { http, updates: rateOf([await repeat(connections, seconds, update)]) };
}

async function countOf({ db }: Connection, { id }: Author): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from articles where author_id = ${id}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Writes that aren't on the disk are no writes. */
async function requireDurability({ db }: Connection): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'`.execute(
    db,
  );
  if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join(" and ")} must be on.`);
}
