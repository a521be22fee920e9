/** A date as answers hold it: ISO 8601 in UTC with whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Gives `Mar 2` for a date in the year of `now`, and `Mar 2 '24` for any other, in UTC. */
export function readableDate(date: Date, now: Date): string {
  const day = `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
  const year = date.getUTCFullYear();
  if (year === now.getUTCFullYear()) return day;
  return `${day} '${String(year % 100).padStart(2, "0")}`;
}

/** Gives `Mar  2, 2024`, in UTC, with the day in two columns. */
export function paddedDate(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2);
  return `${MONTHS[date.getUTCMonth()]} ${day}, ${date.getUTCFullYear()}`;
}
