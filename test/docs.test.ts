import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { everyCommand } from "./commands.ts";

const ROOT = join(import.meta.dirname, "..");
const pages = execFileSync("git", ["ls-files", "*.md", ":!demo"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((page) => page !== "" && existsSync(join(ROOT, page)));

test("every link from page to page leads somewhere", () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map((match) => match[1] as string)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ page, link }) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

test("no page has a command that asks a registry for the program", () => {
  const silent = pages.filter((page) => !/^(?:packaging\/|CONTRIBUTING\.md)/.test(page));
  const asking = /npx\s+inkstone|npm\s+(?:install|i|view)(?:\s+-\S+)*\s+inkstone|docker\s+pull/;
  expect(silent.filter((page) => asking.test(readFileSync(join(ROOT, page), "utf8")))).toEqual([]);
});

test("the README comes to its table of pages after 60 lines at most, in lines of 110 characters", () => {
  const lines = readFileSync(join(ROOT, "README.md"), "utf8").split("\n");
  expect(lines.indexOf("## Documentation")).toBeLessThanOrEqual(60);
  expect(lines.filter((line) => line.length > 110 && !line.startsWith("|"))).toEqual([]);
});

test("every npm script that a page names exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(
      (match) => match[1] as string,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every command has a row in the page of commands, and every row a command", async () => {
  const page = readFileSync(join(ROOT, "docs/run/cli.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] as string);
  // A row goes on with arguments and options: NAME, [FILE], --user.
  const named = rows.map((row) => row.replace(/ [A-Z[-].*$/, ""));
  expect(named.toSorted()).toEqual((await everyCommand()).toSorted());
});
