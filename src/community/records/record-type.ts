import type { TObject } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import type { DeepCheck } from "../../platform/fields/schema.ts";
import type { RenderPool } from "../../content/text/render-pool.ts";

/** A record and its line, from 1. */
export interface Entry<Fields> {
  line: number;
  fields: Fields;
}

export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
}

export function addTally(sum: Tally, { created, updated, unchanged }: Tally): void {
  sum.created += created;
  sum.updated += updated;
  sum.unchanged += unchanged;
}

/** A value of one import, such as counts that are written at its end. */
export interface ImportState<Value> {
  initial(): Value;
  /** Runs at the end of the transaction: writes that lock rows belong here. */
  atEnd?(tx: Db, value: Value, now: Date): Promise<void>;
  /** Runs after the transaction: writes to rows that must not stay locked belong here. */
  afterCommit?(db: Db, value: Value, now: Date): Promise<void>;
}

export interface ImportContext {
  now: Date;
  renderPool: RenderPool;
  /** Notes why a record can't be imported. The import stops, or skips the record; the writer leaves it out. */
  reject(entry: Entry<unknown>, reason: string): void;
  /**
   * The value of this import. A batch changes it last: when a batch fails, only its changes of the database are undone.
   */
  state<Value>(state: ImportState<Value>): Value;
  created?(type: string, id: number): void;
}

export interface ExportOptions {
  withSecrets: boolean;
}

/** Batches hold no natural key twice, and only valid records. */
export interface RecordType<Fields = Record<string, unknown>> {
  type: string;
  schema: TObject;
  /** The first fault of the keys and values of a record, as a sentence. */
  faultOf: DeepCheck;
  keyOf(fields: Fields): string;
  /** May be called before `write` with the same fields. */
  prefetch?(tx: Db, batch: Fields[], context: ImportContext): Promise<void>;
  write(tx: Db, batch: Entry<Fields>[], context: ImportContext): Promise<Tally>;
  /**
   * All records in order, in pages. Columns that are no keys of the schema are left out, and so are null and
   * defaults.
   */
  read(db: Db, options: ExportOptions): AsyncIterable<object>;
}
