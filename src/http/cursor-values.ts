/** What a cursor holds of the row it was made from. */
export type Values = readonly (string | number)[];
export type ValueKind = "int" | "float" | "date";

const MAX_INT = 2_147_483_647;
const IS_KIND: Record<ValueKind, (value: string | number | undefined) => boolean> = {
  int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT,
  float: (value) => Number.isFinite(value),
  date: (value) => typeof value === "string" && isInstant(value),
};

/** Whether a text is an instant as `toISOString` writes it, and one that PostgreSQL knows: it has no year 0. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0;
}

/** Whether a cursor's values are such as this order gives: a cursor comes from outside. */
export function areValues(values: Values, kinds: readonly ValueKind[]): boolean {
  return values.length === kinds.length && kinds.every((kind, index) => IS_KIND[kind](values[index]));
}
