export function fromIso(text: string): Date {
  return new Date(text);
}

/** ISO 8601 in UTC, with milliseconds only if there are any. */
export function toIso(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
