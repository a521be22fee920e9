import { readFileSync } from "node:fs";
import { join } from "node:path";
import { satisfies } from "semver";
import { expect, test } from "vitest";

interface Package {
  optional?: boolean;
  engines?: { node?: string };
}

const ROOT = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const floor = /needs Node (\d+\.\d+) or newer/.exec(read("README.md"))?.[1];

test("the README, package.json and the program name the same oldest Node", () => {
  expect((JSON.parse(read("package.json")) as Package).engines?.node).toBe(`>=${floor}`);
  expect(read("bin/inkstone.js")).toContain(`Inkstone needs ${floor} or newer.`);
});

test.each([`${floor}.0`, "22.13.0", "24.0.0"])(
  "every package of the lock file runs on Node %s",
  (version) => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Package> };
    // npm leaves out an optional package that doesn't fit.
    const needed = Object.entries(packages).filter(([, { optional }]) => !optional);
    expect(needed.length).toBeGreaterThan(100);
    const refusing = needed.filter(([, { engines }]) => !satisfies(version, engines?.node ?? "*"));
    expect(refusing.map(([name]) => name)).toEqual([]);
  },
);
