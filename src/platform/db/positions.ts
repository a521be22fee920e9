import { sql } from "kysely";
import type { Db } from "./connect.ts";

/** A server as it was at a moment. */
export interface Look {
  /** How far its log is: written on a primary, replayed on a standby. */
  position: number;
  /** When the question left. */
  at: number;
  isStandby: boolean;
  /** Equal for a primary and its standbys. */
  system: string;
}

export async function lookAt(db: Db): Promise<Look> {
  const at = performance.now();
  const { rows } = await sql<Omit<Look, "at"> & { segmentBytes: number }>`
    select pg_is_in_recovery() as "isStandby",
      (select system_identifier::text from pg_control_system()) as system,
      pg_size_bytes(current_setting('wal_segment_size'))::int as "segmentBytes",
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
        - '0/0'::pg_lsn)::float8 as position`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database doesn't tell its position.");
  const { segmentBytes, ...look } = row;
  return { ...look, position: withoutHead(look.position, segmentBytes), at };
}

/** Whether one is a standby of the other. */
export const isStandbyOf = (own: Look, primary: Pick<Look, "system">): boolean =>
  own.isStandby && own.system === primary.system;

/** Runs the work once at a time: a call meanwhile waits for the same run. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

const PAGE_BYTES = 8_192;
const PAGE_HEAD_BYTES = 24;
const SEGMENT_HEAD_BYTES = 40;

/** A primary that has filled a page names the place behind the head of the next one, a standby the end of the page. */
function withoutHead(position: number, segmentBytes: number): number {
  if (position % segmentBytes === SEGMENT_HEAD_BYTES) return position - SEGMENT_HEAD_BYTES;
  return position % PAGE_BYTES === PAGE_HEAD_BYTES ? position - PAGE_HEAD_BYTES : position;
}

/** The host of an address, without what is secret. */
export function serverOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return (
    host || [searchParams.get("host"), searchParams.get("port")].filter(Boolean).join(":") || "localhost"
  );
}
