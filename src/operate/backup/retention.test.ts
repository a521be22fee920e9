import { expect, test } from "vitest";
import { backupsAmong, expired, INCOMPLETE, nameOf, timeOf } from "./places.ts";

const NOW = new Date("2027-03-20T04:07:00Z");
const daysAgo = (days: number) => nameOf(new Date(NOW.getTime() - days * 86_400_000));
const nights = (count: number) => Array.from({ length: count }, (_, day) => daysAgo(day));
const listed = (names: string[]) => names.map((name) => ({ name, bytes: 1 }));
const keptOf = (names: string[], keepDays = 7) => {
  const gone = new Set(expired(listed(names), { now: NOW, keepDays }));
  return names.filter((name) => !gone.has(name));
};

test("the backups of a week stay, and before that the first of each of four weeks", () => {
  const kept = keptOf(nights(80));
  expect(kept.slice(0, 8)).toEqual(nights(8));
  const weekly = kept.slice(8).map((name) => timeOf(name)?.getTime() ?? 0);
  expect(weekly.length).toBeGreaterThanOrEqual(4);
  expect(weekly.length).toBeLessThanOrEqual(5);
  for (const [index, time] of weekly.slice(1).entries())
    expect(Number(weekly[index]) - time).toBe(7 * 86_400_000);
  expect(NOW.getTime() - Number(weekly.at(-1))).toBeLessThanOrEqual(35 * 86_400_000);
});

test("night after night, those of weeks are the same", () => {
  let names: string[] = [];
  const weekly = new Set<string>();
  for (let night = 100; night >= 0; night--) {
    const now = new Date(NOW.getTime() - night * 86_400_000);
    names.push(nameOf(now));
    const gone = expired(listed(names), { now, keepDays: 2 });
    names = names.filter((name) => !gone.includes(name));
    for (const name of names.slice(0, -3)) weekly.add(name);
  }
  // One of each week of a hundred days.
  expect(weekly.size).toBeLessThanOrEqual(15);
});

test("the newest one stays, however old it is", () => {
  expect(keptOf([daysAgo(400)])).toEqual([daysAgo(400)]);
  expect(keptOf([daysAgo(401), daysAgo(400)])).toEqual([daysAgo(400)]);
});

test("files with other names stay, and one that lacks images goes after a whole one", () => {
  const others = ["inkstone.tar", "community.tar", "inkstone-2020-01-01-000000.tar.age", "before-0010-x.tar"];
  const part = `${daysAgo(9)}.0a1b2c3d.part`;
  expect(keptOf([...others, part, INCOMPLETE, daysAgo(0)])).toEqual([...others, part, daysAgo(0)]);
});

test("empty files and dates in the future are no backups: they neither count nor keep others, and stay", () => {
  const [empty, future] = [daysAgo(0), daysAgo(-300)];
  const files = [{ name: empty, bytes: 0 }, ...listed([future, daysAgo(50), daysAgo(400)])];
  expect(backupsAmong(files, NOW).map(({ name }) => name)).toEqual([daysAgo(50), daysAgo(400)]);
  expect(expired(files, { now: NOW, keepDays: 7 })).toEqual([daysAgo(400)]);
});
