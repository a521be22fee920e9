import type { TObject } from "typebox";
import type { Db } from "../db/connect.ts";
import type { RenderPool } from "../text/render-pool.ts";

/** One record of a community file and the line it stands on, from 1. */
export interface Entry<Fields> {
  line: number;
  fields: Fields;
}

/** What a batch did to the site. */
export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
}

/** What a type keeps during one import, such as counts that are written at its end. */
export interface ImportState<Value> {
  initial(): Value;
  /** Runs once at the end of the import, in its transaction: for writes that would lock rows for long. */
  atEnd?(tx: Db, value: Value, now: Date): Promise<void>;
  /** Runs after the transaction: for rows that no other transaction may find locked by an import. */
  afterCommit?(db: Db, value: Value, now: Date): Promise<void>;
}

export interface ImportContext {
  now: Date;
  renderPool: RenderPool;
  /**
   * Says that a record can't be imported and why. The import stops there or, when bad records are
   * to be skipped, goes on; the writer leaves that record out either way.
   */
  reject(entry: Entry<unknown>, reason: string): void;
  /** The value of this import. A batch changes it last: one that fails before is undone in the database only. */
  state<Value>(state: ImportState<Value>): Value;
  /** Called with the type and the id of each row that the driver creates. */
  created?(type: string, id: number): void;
}

export interface ExportOptions {
  /** Hashes of passwords and keys too, and what webhooks are signed with. */
  withSecrets: boolean;
}

/**
 * One type of record of the community file, as its domain reads and writes it. Batches hold no
 * natural key twice, and only records whose shape is the schema's.
 */
export interface RecordType<Fields = Record<string, unknown>> {
  type: string;
  /** The record without its `type`; unknown keys are refused. */
  schema: TObject;
  /** The natural key in words for messages, like "lena". */
  keyOf(fields: Fields): string;
  write(tx: Db, batch: Entry<Fields>[], context: ImportContext): Promise<Tally>;
  /**
   * All records in their order of the file, in pages, so that a million need no more memory than a hundred. Columns
   * whose names aren't keys of the schema are left out, and so are null and defaults.
   */
  read(db: Db, options: ExportOptions): AsyncIterable<object>;
}
