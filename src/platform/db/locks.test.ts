import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOCKS } from "./locks.ts";

const ROOT = join(import.meta.dirname, "../../..");

test("every advisory lock has a number of its own", () => {
  const numbers = Object.values(LOCKS);
  expect(numbers.length).toBeGreaterThan(1);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("advisory locks are taken in one file", () => {
  const files = ["src", "test", "scripts", "bench"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|sql|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const takers = files.filter((file) => /pg_(try_)?advisory/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(takers).toEqual([join("src", "platform", "db", "locks.ts")]);
});
