const MOMENT =
  /^([1-9]\d{3})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?[ ]?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads a date or date-time such as 2026-03-02, 2026-03-02 09:15 or 2026-03-02T09:15:00+01:00; UTC
 * where no zone is given. Gives undefined for anything else, also for days that do not exist.
 */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    MOMENT.exec(text) ?? [];
  if (year === undefined) return undefined;

  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = new Date(`${written}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  // Date reads 30 February as 2 March.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(written)) return undefined;
  const offset = offsetMinutes(zone);
  return offset === undefined ? undefined : new Date(local.getTime() - offset * 60_000);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
