import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { circles, files, localImports, SRC } from "../test/source-code.ts";

/** Imports point to the left in the list of this page. A folder that is not in it fails the test. */
const PAGE = readFileSync(join(SRC, "..", "docs", "architecture.md"), "utf8");
const ORDER = /```order\n([\s\S]*?)```/.exec(PAGE)?.[1]?.trim().split(/\s+/) ?? [];

/** Files that are their folder's own business, and the one file that may nevertheless reach in. */
const PRIVATE: readonly [name: RegExp, friend: string][] = [
  [/^(.+-)?queries\.ts$/, "nobody"],
  [/^(.+-)?routes\.ts$/, "app.ts"],
];

test("imports point one way", () => {
  const imports = files.flatMap((file) => localImports(file).map((target) => ({ file, target })));
  // An empty list would pass without having looked at anything.
  expect(imports.length).toBeGreaterThan(50);
  const wrong = imports
    .filter(({ file, target }) => place(target) > place(file) || reachesIn(file, target))
    .map(({ file, target }) => `${file} must not import ${target}`);
  expect(wrong).toEqual([]);
});

test("no files import each other in a circle, not even their types", () => {
  expect(circles()).toEqual([]);
});

test("pages read through the domains", () => {
  const pages = files.filter((file) => /^(?:site|web)\//.test(file));
  expect(pages.length).toBeGreaterThan(20);
  const readers = pages.filter((file) =>
    /from "(?:kysely|pg|\.\.\/db\/.*)"/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(readers).toEqual([]);
});

/** Kits that have tables. */
const KITS = ["db", "events", "jobs", "search-index", "records", "fetches", "settings", "limits", "mail"];
const DOMAINS = ORDER.slice(ORDER.indexOf("users"), ORDER.indexOf("community-file"));
const SQL =
  /\bsql(?:<[^`]*>)?`|\bsql\.\w+\(|\.(?:select(?:No)?From|insertInto|updateTable|deleteFrom)\(|\.query[(<]|db\/(?:prepared|rows)\.ts"/;

test("SQL stands in the kits and domains that have tables, but not at their edges", () => {
  const hasTables = new Set([...KITS, ...DOMAINS, "demo"]);
  const holders = files.filter((file) => SQL.test(readFileSync(join(SRC, file), "utf8")));
  expect(holders.length).toBeGreaterThan(80);
  const wrong = holders.filter(
    (file) =>
      !file.endsWith("queries.ts") &&
      (!hasTables.has(file.split("/")[0] as string) || /(?:routes|schema|fields|view)\.tsx?$/.test(file)),
  );
  expect(wrong).toEqual([]);
});

test("only the settings of the process are read from the environment, and in one place", () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(SRC, file), "utf8")));
  expect(readers.filter((file) => file !== "config.ts")).toEqual([]);
});

test("what Kysely and pg don't document is used in one file, whose test shows that it works", () => {
  const insides =
    /\.getExecutor\(|withConnectionProvider|new Transaction\b|connection: \{ stream|connection\.stream|createDriver/;
  const users = files.filter((file) => insides.test(readFileSync(join(SRC, file), "utf8")));
  expect(users).toEqual(["db/pipeline.ts"]);
});

function place(file: string): number {
  const folder = (file.split("/")[0] as string).replace(/\.tsx?$/, "");
  expect(ORDER, `${folder} has no place in the import order`).toContain(folder);
  return ORDER.indexOf(folder);
}

function reachesIn(file: string, target: string): boolean {
  const rule = PRIVATE.find(([name]) => name.test(basename(target)));
  return rule !== undefined && dirname(file) !== dirname(target) && file !== rule[1];
}
