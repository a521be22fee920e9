import type { Db } from "../src/db/connect.ts";
import { type DueOptions, fetchDue } from "../src/fetches/due.ts";
import * as fetches from "../src/fetches/fetches.ts";

const MINUTE_MS = 60_000;

/** One kind of things that are fetched, at a time that stands still until it is moved. */
export function things(db: Db, kind: string) {
  let now = new Date("2026-01-01T00:00:00Z");
  const round = (handle: DueOptions["handle"], options: Partial<DueOptions> = {}): Promise<number> =>
    fetchDue({ db, kind, now: () => now, everySeconds: 3600, handle, ...options });
  return {
    round,
    now: () => now,
    later(minutes: number) {
      now = new Date(now.getTime() + minutes * MINUTE_MS);
    },
    schedule: (...ids: number[]) => fetches.schedule(db, kind, ids, { at: now }),
    unschedule: (...ids: number[]) => fetches.unschedule(db, kind, ids),
    refresh: (id: number) => fetches.refresh(db, kind, [id], now),
    status: async (id: number) => (await fetches.statusOf(db, kind, [id])).get(id),
    /** In how many minutes it is due. */
    async dueIn(id: number): Promise<number> {
      const status = (await fetches.statusOf(db, kind, [id])).get(id);
      return ((status?.due_at.getTime() ?? Number.NaN) - now.getTime()) / MINUTE_MS;
    },
    /** The numbers of those that a round takes. */
    async taken(options: Partial<DueOptions> = {}): Promise<number[]> {
      const ids: number[] = [];
      await round(async ({ id }) => {
        ids.push(id);
        return {};
      }, options);
      return ids.toSorted((one, other) => one - other);
    },
  };
}

/** Something that is waited for. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
