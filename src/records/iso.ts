/** A date of a record, whose format is checked. */
export function fromIso(text: string): Date {
  return new Date(text);
}

/** A date as community files hold it: ISO 8601 in UTC, milliseconds only where there are any. */
export function toIso(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
