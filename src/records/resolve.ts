import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import type { Reference, Resolved } from "./declaration.ts";
import type { Entry, ImportContext } from "./record-type.ts";

export async function forEach<Item extends { entry: Entry<unknown> }, Result>(
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

export async function resolve<Fields extends object, Name extends string>(
  references: { [Key in Name]: Reference },
  batch: readonly Entry<Fields>[],
  { tx, context }: { tx: Db; context: ImportContext },
): Promise<(Resolved<Fields, Name> & { entry: Entry<Fields> })[]> {
  const found = new Map<string, ReadonlyMap<string, number>>();
  const fields = Object.entries<Reference>(references);
  for (const [field, reference] of fields) {
    const names = batch.flatMap((entry) => nameIn(entry, field, reference) ?? []);
    if (names.length > 0) found.set(field, await reference.find(tx, [...new Set(names)], context));
  }
  const resolveOne = (entry: Entry<Fields>) => {
    const ids = fields.flatMap(([field, reference]) => {
      const name = nameIn(entry, field, reference);
      return name === undefined ? [] : [[field, idOf(name, field, { reference, ids: found.get(field) })]];
    });
    return { entry, fields: entry.fields, ids: Object.fromEntries(ids) as Resolved<Fields, Name>["ids"] };
  };
  return forEach(
    batch.map((entry) => ({ entry })),
    ({ entry }) => resolveOne(entry),
    context,
  );
}

function nameIn({ fields }: Entry<object>, field: string, { allowsBlank }: Reference): string | undefined {
  const name = Reflect.get(fields, field) as string | undefined;
  return name === "" && allowsBlank ? undefined : name;
}

interface Lookup {
  reference: Reference;
  ids: ReadonlyMap<string, number> | undefined;
}

function idOf(name: string, field: string, { reference, ids }: Lookup): number {
  const id = ids?.get(reference.spell?.(name) ?? name);
  if (id !== undefined) return id;
  const noun = reference.noun ?? "one";
  throw invalid(`${field} ${quote(name)} is not ${noun} of the site or of an earlier line`);
}
