/** A time as commands print it: in UTC, to the second. Scripts read the JSON, which has milliseconds. */
export function formatTime(time: Date | string): string {
  return new Date(time).toISOString().replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");
}
