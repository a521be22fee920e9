import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import {
  loadsOf,
  type Standby,
  type Standbys,
  startStandbys,
  untilReadFrom,
} from "../../../test/standbys.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { inTransaction } from "./transaction.ts";

let servers: Standbys;
let worlds: World[];
beforeAll(async () => {
  servers = await startStandbys();
  worlds = [await startWorld({ standbys: servers }), await startWorld({ standbys: servers })];
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
  await servers.stop();
});

interface Write {
  value: number;
  by: World;
  /** When the writer was told. */
  at: number;
}

/** A row that both processes write, with numbers that grow. */
class Row {
  readonly writes: Write[] = [];
  #last = 0;
  /** What each process has shown, by version. */
  readonly #shown = new Map<string, number>();
  #turn = Promise.resolve();
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  /** In turns, so that the numbers grow in the table too. */
  async write(by: World): Promise<void> {
    const before = this.#turn;
    const written = (async () => {
      await before;
      const value = ++this.#last;
      await inTransaction(by.db, (tx) =>
        tx
          .updateTable("users")
          .set({ name: `version ${value}` })
          .where("id", "=", this.id)
          .execute(),
      );
      this.writes.push({ value, by, at: performance.now() });
    })();
    this.#turn = written;
    return written;
  }

  /** Reads as a stranger with or without the version that was seen last, and names what is too old. */
  async read(world: World, known: string | undefined): Promise<{ etag: string; fault?: string }> {
    const began = performance.now();
    const required = this.writes
      .filter(({ by, at }) => by === world || at < began - 1_000)
      .reduce((most, { value }) => Math.max(most, value), 0);
    const headers = known === undefined ? {} : { "if-none-match": known };
    const { status, headers: sent, body } = await world.get(`/api/users/${this.id}`, { headers });
    const etag = String(sent["etag"]);
    if (status === 200) this.#shown.set(etag, Number((body as { name: string }).name.split(" ")[1]));
    const value = this.#shown.get(etag) ?? NaN;
    return { etag, ...(value >= required ? {} : { fault: `${status} of ${value} instead of ${required}` }) };
  }
}

test.runIf(IS_LONG)(
  "a replica never shows a stranger less than the process has written, or another a second ago",
  async () => {
    const [first, second] = servers.standbys as [Standby, Standby];
    const [one] = worlds as [World];
    const rows: Row[] = [];
    for (let at = 0; at < 4; at++) rows.push(new Row((await one.user({ name: "version 0" })).id));
    for (const world of worlds) await untilReadFrom(world, 0, 1);
    const before = worlds.map((world) => sumOf(loadsOf(world).replicas));
    const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;
    const faults: string[] = [];
    let left = 10_000;
    const isLeft = () => left > 0;
    const act = async () => {
      let known: string | undefined;
      while (isLeft()) {
        left -= 1;
        const row = pick(rows);
        const world = pick(worlds);
        if (Math.random() < 0.1) await row.write(world);
        else {
          const { etag, fault } = await row.read(world, Math.random() < 0.5 ? known : undefined);
          known = etag;
          if (fault !== undefined) faults.push(fault);
        }
        await sleep(Math.random() * 40);
      }
    };
    const lag = async () => {
      while (isLeft()) {
        await pick([
          () => first.delay(Math.floor(Math.random() * 400)),
          () => first.delay(0),
          () => second.pause(),
          () => second.resume(),
        ])();
        await sleep(Math.random() * 1_500);
      }
      await first.delay(0);
      await second.resume();
    };
    await Promise.all([lag(), ...Array.from({ length: 8 }, act)]);
    expect(faults).toEqual([]);
    for (const [at, world] of worlds.entries())
      expect(sumOf(loadsOf(world).replicas)).toBeGreaterThan(before[at] ?? NaN);
  },
);

const sumOf = (loads: number[]) => loads.reduce((sum, each) => sum + each, 0);
