import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import type { Reference } from "./declaration.ts";
import type { Entry, ImportContext } from "./record-type.ts";
import type { AnyDeclaration } from "./rows.ts";

type Fields = Record<string, unknown>;

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

/** The records that pass their own check, with the ids of their references. */
export async function resolve(
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
