/** A date as answers hold it: ISO 8601 in UTC with whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
