import type { Insertable, Selectable } from "kysely";
import type { Static, TObject } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import { changes } from "../../platform/db/rows.ts";
import type { DB } from "../../platform/db/tables.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import { deepCheckOf } from "../../platform/fields/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import type { Changed, Declaration, RecordRow, Reference, Resolved } from "./declaration.ts";
import { addTally, type Entry, type ImportContext, type RecordType, type Tally } from "./record-type.ts";
import {
  type AnyDeclaration,
  type Columns,
  findRows,
  insertRows,
  keyText,
  type Row,
  updateRows,
} from "./rows.ts";

type Fields = Record<string, unknown>;

interface Import {
  type: AnyDeclaration;
  tx: Db;
  context: ImportContext;
}

interface Stored<Schema, Table> {
  /** The record without its `type`; unknown keys are refused. An `id` is kept where it is free. */
  schema: Schema;
  table: Table;
}

export function recordType<
  Schema extends TObject,
  Table extends keyof DB,
  Name extends string = never,
  Known = undefined,
>(
  declaration: Stored<Schema, Table> &
    Declaration<Static<Schema>, Name, Known, Partial<Insertable<DB[Table]>>, Selectable<DB[Table]>>,
): RecordType<Static<Schema>> {
  const type = declaration as unknown as AnyDeclaration;
  return {
    ...declaration,
    faultOf: deepCheckOf(declaration.schema),
    write: (tx, batch, context) => writeBatch({ type, tx, context }, batch),
  };
}

async function writeBatch(importing: Import, batch: Entry<Fields>[]): Promise<Tally> {
  const { type, tx, context } = importing;
  await type.prepare?.(
    tx,
    batch.map(({ fields }) => fields),
    context,
  );
  const sum: Tally = { created: 0, updated: 0, unchanged: 0 };
  for (const part of partsOf(type, batch)) addTally(sum, await writePart(importing, part));
  return sum;
}

/** Records that refer to others of the batch are in a later part. */
function partsOf({ links }: AnyDeclaration, batch: Entry<Fields>[]): Entry<Fields>[][] {
  if (!links) return [batch];
  const parts: Entry<Fields>[][] = [];
  const places = new Map<string | undefined, number>();
  for (const entry of batch) {
    const { names, to } = links(entry.fields);
    const place = to === undefined ? 0 : (places.get(to) ?? -1) + 1;
    (parts[place] ??= []).push(entry);
    for (const name of names) places.set(name, place);
  }
  return parts;
}

async function writePart(importing: Import, batch: Entry<Fields>[]): Promise<Tally> {
  const { type, tx, context } = importing;
  const resolved = await resolve(type, batch, { tx, context });
  const known = await type.lookUp?.(tx, resolved, context);
  const keyed = await forEach(
    resolved,
    ({ entry, fields, ids }) => {
      const record = { fields, ids, known };
      return { entry, resolved: record, key: type.key(record) };
    },
    context,
  );
  const keys = keyed.map(({ key }) => key);
  const present = type.store ? new Map<string, Row>() : await findRows(tx, type, { keys, known });
  const made = await forEach(
    keyed,
    async ({ entry, resolved, key }) => {
      const sameKey = present.get(keyText(type, key));
      const existing = type.identify ? type.identify(resolved, sameKey) : sameKey;
      const columns = await type.columns({ ...resolved, existing, context });
      return { entry, resolved, key, existing, columns: columns && Object.assign(columns, key) };
    },
    context,
  );
  const records = type.complete ? ((await type.complete(tx, made, context)) as KeyedRow[]) : made;
  return type.store ? storeAtOnce(importing, records) : store(importing, records);
}

interface KeyedRow extends RecordRow<Fields, Columns, Row> {
  resolved: Resolved<Fields, string>;
  key: Columns;
}

async function storeAtOnce({ type, tx }: Import, records: KeyedRow[]): Promise<Tally> {
  const rows = records.flatMap(({ columns }) => (columns ? [columns] : []));
  const { created = 0, updated = 0 } = (rows.length > 0 && (await type.store?.(tx, rows))) || {};
  return { created, updated, unchanged: records.length - created - updated };
}

async function store(importing: Import, records: KeyedRow[]): Promise<Tally> {
  const { type, tx, context } = importing;
  const { fresh, changed, updated } = compare(type, records);
  try {
    const created = await insertRows(importing, fresh);
    if (type.update && changed.length > 0) await type.update(tx, changed, context);
    else await updateRows(tx, type.table, changed);
    for (const record of type.storeParts ? records : []) {
      const isNew = record.existing === undefined;
      const id = record.existing?.id ?? created.get(keyText(type, record.key))?.id ?? 0;
      if ((await type.storeParts?.(tx, { ...record.resolved, id }, context)) && !isNew) updated.add(record);
    }
    await type.after?.(tx, { created: [...created.values()], changed }, context);
    const unchanged = records.length - created.size - updated.size;
    return { created: created.size, updated: updated.size, unchanged };
  } catch (error) {
    const rows = fresh.map(({ columns }) => columns ?? {});
    throw type.explain?.(error, rows) ?? error;
  }
}

function compare(type: AnyDeclaration, records: KeyedRow[]) {
  const fresh = new Map<string, KeyedRow>();
  const changed: Changed<Columns, Row>[] = [];
  /** The records that change a row, be it one that an earlier record of the batch makes. */
  const updated = new Set<KeyedRow>();
  for (const record of records) {
    const { key, existing, columns } = record;
    if (!columns) continue;
    const row = existing ?? fresh.get(keyText(type, key))?.columns;
    const change = changes(row ?? {}, columns);
    if (!row) fresh.set(keyText(type, key), record);
    else if (Object.keys(change).length > 0) {
      updated.add(record);
      if (existing) changed.push({ before: { ...existing }, change });
      Object.assign(row, change);
    }
  }
  return { fresh: [...fresh.values()], changed, updated };
}

async function forEach<Item extends { entry: Entry<unknown> }, Result>(
  records: readonly Item[],
  work: (record: Item) => Result | Promise<Result>,
  context: ImportContext,
): Promise<Result[]> {
  const results = await Promise.all(
    records.map(async (record) => {
      try {
        return [await work(record)];
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.reject(record.entry, error.message);
        return [];
      }
    }),
  );
  return results.flat();
}

async function resolve(
  type: AnyDeclaration,
  batch: readonly Entry<Fields>[],
  { tx, context }: { tx: Db; context: ImportContext },
) {
  const references = Object.entries(type.references ?? {});
  const found = new Map<string, ReadonlyMap<string, number>>();
  for (const [field, reference] of references) {
    const names = batch.flatMap((entry) => nameIn(entry, field, reference) ?? []);
    if (names.length > 0) found.set(field, await reference.find(tx, [...new Set(names)], context));
  }
  const resolveOne = ({ entry }: { entry: Entry<Fields> }) => {
    const { fields } = entry;
    type.check?.(fields);
    const ids = references.flatMap(([field, reference]) => {
      const name = nameIn(entry, field, reference);
      if (name === undefined) return [];
      const id = found.get(field)?.get(reference.spell?.(name) ?? name);
      if (id !== undefined) return [[field, id]];
      const noun = reference.noun ?? "one";
      throw invalid(`${field} ${quote(name)} is not ${noun} of the site or of an earlier line`);
    });
    return { entry, fields, ids: Object.fromEntries(ids) as Record<string, number>, known: undefined };
  };
  const entries = batch.map((entry) => ({ entry }));
  return forEach(entries, resolveOne, context);
}

function nameIn({ fields }: Entry<object>, field: string, { allowsBlank }: Reference): string | undefined {
  const name = Reflect.get(fields, field) as string | undefined;
  return name === "" && allowsBlank ? undefined : name;
}

type ColumnsOf<Fields, Stored> = {
  [Key in keyof Stored]?: Stored[Key] extends (value: never) => infer Column ? Column : never;
} & { [Key in Exclude<keyof Stored, keyof Fields>]: never };

/** Columns for the present keys; an omitted key leaves its column as it is. */
export function givenOf<
  Fields extends object,
  Stored extends { [Key in keyof Fields]?: (value: NonNullable<Fields[Key]>) => unknown },
>(fields: Fields, stored: Stored): ColumnsOf<Fields, Stored> {
  const columns = Object.entries(stored as Record<string, (value: unknown) => unknown>).flatMap(
    ([key, store]) => {
      const value: unknown = Reflect.get(fields, key);
      return value === undefined ? [] : [[key, store(value)]];
    },
  );
  return Object.fromEntries(columns) as ColumnsOf<Fields, Stored>;
}

export function fromIso(text: string): Date {
  return new Date(text);
}

/** ISO 8601 in UTC, with milliseconds only if there are any. */
export function toIso(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
