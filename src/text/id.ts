const MAX_ID = 2_147_483_647;

/**
 * The number by which a request names something, which may be a text of digits, as forms send it.
 * Gives undefined where nothing is said (also null and the empty text), and NaN for what can be the
 * number of nothing.
 */
export function readId(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const id = typeof value === "string" && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= MAX_ID ? id : NaN;
}
