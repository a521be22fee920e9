import { isDeepStrictEqual } from "node:util";

/** A column for a key that a record has; none for one it leaves out, which stays as the site has it. */
export function given<Key extends string, From, To>(
  key: Key,
  value: From | undefined,
  store: (value: From) => To,
): { [K in Key]?: To } {
  return value === undefined ? {} : ({ [key]: store(value) } as { [K in Key]?: To });
}

/** Whether storing these columns would change the row. */
export function differs(existing: object, columns: object): boolean {
  return Object.keys(changes(existing, columns)).length > 0;
}

/** Those of these columns whose storing would change the row. */
export function changes<Columns extends object>(existing: object, columns: Columns): Partial<Columns> {
  return Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(existing, name), value)),
  ) as Partial<Columns>;
}

/** A row's columns as a record has them: what is null is left out. */
export function withoutNull<Row extends object>(row: Row): { [K in keyof Row]: NonNullable<Row[K]> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [K in keyof Row]: NonNullable<Row[K]>;
  };
}
