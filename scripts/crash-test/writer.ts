import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionTo, type Site } from "./site.ts";

/** Inserts rows as fast as they are acknowledged, and connects again when the connection breaks. */
export interface Writer {
  /** Stops and says which rows were acknowledged. */
  stop(): Promise<number[]>;
  /** How many have been acknowledged so far. */
  count(): number;
}

/** Makes the writer's own table, in a schema that the site knows nothing of. */
export async function makeTable(site: Site): Promise<void> {
  await withClient(site, async (client) => {
    await client.query("create schema if not exists crash_test");
    await client.query(
      "create table if not exists crash_test.written (number bigint primary key, filler text)",
    );
  });
}

/** Numbers are never used twice: an insert that was not acknowledged may still have been made. */
let nextNumber = 1;

export function startWriter(site: Site): Writer {
  const acknowledged: number[] = [];
  const stopping = new AbortController();
  const written = (async () => {
    while (!stopping.signal.aborted) {
      await withClient(site, async (client) => {
        while (!stopping.signal.aborted) {
          const number = nextNumber++;
          await client.query("insert into crash_test.written values ($1, repeat('x', 500))", [number]);
          acknowledged.push(number);
        }
      }).catch(() => sleep(20));
    }
  })();
  return {
    count: () => acknowledged.length,
    async stop() {
      stopping.abort();
      await written;
      return acknowledged;
    },
  };
}

export async function expectWritten(site: Site, acknowledged: number[]): Promise<void> {
  const found = await withClient(site, async (client) => {
    const { rows } = await client.query<{ found: string }>(
      "select count(*) as found from crash_test.written where number = any($1)",
      [acknowledged],
    );
    return Number(rows[0]?.found);
  });
  if (found !== acknowledged.length)
    throw new Error(`${acknowledged.length - found} acknowledged rows are lost`);
}

export async function withClient<Result>(
  site: Site,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connectionTo(site));
  // A connection that breaks rejects what is under way; it must not end this program.
  client.on("error", () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
