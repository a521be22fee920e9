import type { Db } from "../../platform/db/connect.ts";
import type { Entry, ExportOptions, ImportContext, Tally } from "./record-type.ts";

/** How records name a row of another type. */
export interface Reference {
  /** Ids by name; a name that the site doesn't have is missing. */
  find(tx: Db, names: readonly string[], context: ImportContext): Promise<ReadonlyMap<string, number>>;
  /** The spelling of a name in the map of `find`; the name itself when left out. */
  spell?(name: string): string;
  /** The noun of "is not a user of the site"; "one" when left out. */
  noun?: string;
  /** Whether a blank name means none. */
  allowsBlank?: boolean;
}

export interface Resolved<Fields, Name, Known = unknown> {
  fields: Fields;
  ids: {
    [Key in Name & keyof Fields]: undefined extends Fields[Key] ? number | undefined : number;
  };
  known: Known;
}

export interface RecordRow<Fields, Columns, Row> {
  entry: Entry<Fields>;
  existing: Row | undefined;
  columns: Columns | undefined;
}

export interface Changed<Columns, Row> {
  before: Row;
  change: Columns;
}

export interface Written<Columns, Row> {
  created: (Columns & { id: number })[];
  changed: Changed<Columns, Row>[];
}

/**
 * A type of record that is stored as a row of a table. An import calls the functions in this order, for a batch.
 * `check`, `key`, `identify` and `columns` throw AppError invalid to refuse a record.
 */
export interface Declaration<Fields, Name extends string, Known, Columns, Row> {
  type: string;
  /** The natural key in words for messages, like "lena". */
  keyOf(fields: Fields): string;
  /**
   * Begins slow work on a batch before its turn. Only batches of this type are written in between. Throws for no
   * record: faults are reported when the record's turn comes.
   */
  prefetch?(tx: Db, batch: Fields[], context: ImportContext): Promise<void>;
  /** Sees a whole batch, also the records that are refused later. */
  prepare?(tx: Db, batch: Fields[], context: ImportContext): Promise<void>;
  check?(fields: Fields): void;
  /** Fields that name rows of other types. */
  references?: { [Key in Name]: Reference };
  /** The names of a record, and that of an earlier one of this type to which it refers, which is written first. */
  links?(fields: Fields): { names: (string | undefined)[]; to: string | undefined };
  /** Reads in bulk whatever else the next functions need to know. */
  lookUp?(tx: Db, records: Resolved<Fields, Name>[], context: ImportContext): Promise<Known>;
  /** The columns by which a record finds its row; the same columns for all records. */
  key(record: Resolved<Fields, Name, Known>): Columns;
  /** Whether the rows that are found are locked against other writers until the import ends. */
  locks?: boolean;
  /** Reads the rows that have these keys, if that takes more than comparing each column with its values. */
  find?(tx: Db, keys: Columns[], known: Known): Promise<Row[]>;
  /** The text that is the same for a key and its row, if it isn't made from the columns of the key. */
  rowKey?(row: Columns): string;
  /** Decides which row is the record's, if the key alone doesn't. */
  identify?(record: Resolved<Fields, Name, Known>, sameKey: Row | undefined): Row | undefined;
  /** The other columns; those that are left out stay as they are. Undefined when the site needs no row. */
  columns(
    record: Resolved<Fields, Name, Known> & { existing: Row | undefined; context: ImportContext },
  ): Columns | undefined | Promise<Columns | undefined>;
  /** Completes columns in bulk, and returns the records that can be stored. */
  complete?(
    tx: Db,
    records: RecordRow<Fields, Columns, Row>[],
    context: ImportContext,
  ): Promise<RecordRow<Fields, Columns, Row>[]>;
  /** Writes all rows with a statement of its own, instead of finding, inserting and updating them. */
  store?(tx: Db, rows: Columns[]): Promise<Tally>;
  /** Columns of a new row, if its record leaves them out. */
  defaults?(now: Date): Columns;
  beforeInsert?(tx: Db, rows: Columns[]): Promise<void>;
  /** Whether new rows that another transaction inserts at the same moment are left out, instead of failing. */
  skipsConflicts?: boolean;
  /** Changes rows, if that takes more than one update for each. */
  update?(tx: Db, rows: Changed<Columns, Row>[], context: ImportContext): Promise<void>;
  /** Stores what a record has outside its row, and returns whether that changed anything. */
  storeParts?(
    tx: Db,
    record: Resolved<Fields, Name, Known> & { id: number },
    context: ImportContext,
  ): Promise<boolean>;
  /** The sentence for an error of the database. The failed batch is then written record by record. */
  explain?(error: unknown, rows: Columns[]): Error | undefined;
  /** Counts what was written, and enqueues jobs. */
  after?(tx: Db, written: Written<Columns, Row>, context: ImportContext): Promise<void> | void;
  /**
   * All records in their order of the file, in pages, so that a million need no more memory than a hundred. Columns
   * whose names aren't keys of the schema are left out, and so are null and defaults.
   */
  read(db: Db, options: ExportOptions): AsyncIterable<object>;
}
