const MAX_ID = 2_147_483_647;

/** As a number or text of digits. Undefined for null, absent and empty values, NaN for impossible ids. */
export function readId(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const id = typeof value === "string" && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= MAX_ID ? id : NaN;
}
