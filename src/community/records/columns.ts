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
