import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { circles, files, localImports, SRC } from "../test/source-code.ts";

/** Imports point to the left in the lists of this page. A folder that is in neither fails the test. */
const PAGE = readFileSync(join(SRC, "..", "docs", "architecture.md"), "utf8");
const listOf = (name: string) =>
  new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1]?.trim().split(/\s+/) ?? [];
const STREETS = listOf("streets");
const NOUNS = listOf("nouns");

/** These put the parts together, for the commands. */
const WHOLES = ["app.ts", "worker.ts", "cli.ts"];
/** Types of what the parts get; they tie nothing. */
const TYPES = "context.ts";

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
    .filter(({ file, target }) => isWrong(file, target) || reachesIn(file, target))
    .map(({ file, target }) => `${file} must not import ${target}`);
  expect(wrong).toEqual([]);
});

test("no files import each other in a circle, not even their types", () => {
  expect(circles()).toEqual([]);
});

test("pages read through the domains", () => {
  const pages = files.filter((file) => file.startsWith("site/"));
  expect(pages.length).toBeGreaterThan(20);
  const readers = pages.filter((file) =>
    /from "(?:kysely|pg|.*\/platform\/db\/.*)"/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(readers).toEqual([]);
});

/** The streets whose folders have tables. */
const WITH_TABLES = /^(?:platform|search|mail|community|operate\/(?:demo|health))\//;
const SQL =
  /\bsql(?:<[^`]*>)?`|\bsql\.\w+\(|\.(?:select(?:No)?From|insertInto|updateTable|deleteFrom)\(|\.query[(<]|db\/(?:prepared|rows)\.ts"/;

test("SQL stands in the kits and domains that have tables, but not at their edges", () => {
  const holders = files.filter((file) => SQL.test(readFileSync(join(SRC, file), "utf8")));
  expect(holders.length).toBeGreaterThan(80);
  const wrong = holders.filter(
    (file) =>
      !file.endsWith("queries.ts") &&
      (!WITH_TABLES.test(file) || /(?:routes|schema|fields|view)\.tsx?$/.test(file)),
  );
  expect(wrong).toEqual([]);
});

test("only the settings of the process are read from the environment, and in one place", () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(SRC, file), "utf8")));
  expect(readers.filter((file) => file !== "platform/config.ts")).toEqual([]);
});

test("what Kysely and pg don't document is used in one file, whose test shows that it works", () => {
  const insides =
    /\.getExecutor\(|withConnectionProvider|new Transaction\b|connection: \{ stream|connection\.stream|createDriver/;
  const users = files.filter((file) => insides.test(readFileSync(join(SRC, file), "utf8")));
  expect(users).toEqual(["platform/db/pipeline.ts"]);
});

/** Compares by street, and within the community by noun. */
function isWrong(file: string, target: string): boolean {
  if (WHOLES.includes(file)) return false;
  if (WHOLES.includes(target)) return !file.startsWith("operate/cli/");
  if (target === TYPES) return /^(?:platform|content)\//.test(file);
  if (file === TYPES) return false;
  const [own, others] = [place(file, STREETS, 0), place(target, STREETS, 0)];
  if (own !== others || !file.startsWith("community/")) return others > own;
  return place(target, NOUNS, 1) > place(file, NOUNS, 1);
}

function place(file: string, list: readonly string[], level: number): number {
  const folder = file.split("/")[level] as string;
  expect(list, `${folder} has no place in the import order`).toContain(folder);
  return list.indexOf(folder);
}

function reachesIn(file: string, target: string): boolean {
  const rule = PRIVATE.find(([name]) => name.test(basename(target)));
  return rule !== undefined && dirname(file) !== dirname(target) && file !== rule[1];
}
