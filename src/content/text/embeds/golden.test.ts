import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseFrontMatter } from "../front-matter.ts";
import { renderMarkdown } from "../markdown.ts";
import { sanitise } from "../sanitise.ts";
import { TAGS } from "./tags.ts";

const GOLDEN = join(import.meta.dirname, "../../../../test/golden");
const REFERENCES = {
  baseUrl: "https://ink.example",
  titles: new Map([["/ada/first-loom-1a", "The first <loom> & more"]]),
  names: new Set(["ada", "bob_2"]),
};

const files = ["embeds", "markdown"].flatMap((folder) =>
  readdirSync(join(GOLDEN, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(GOLDEN, folder, file.replace(/\.md$/, ""))),
);

test.each(files)("%s.md is rendered as its HTML file shows", async (file) => {
  const markdown = readFileSync(`${file}.md`, "utf8");
  const { body } = parseFrontMatter(markdown);
  const firstLine = markdown.slice(0, markdown.length - body.length).split("\n").length;
  const { html, warnings } = renderMarkdown(body, { references: REFERENCES, firstLine });
  expect(sanitise(html)).toBe(html);
  const told = warnings.length === 0 ? "" : `\n<!--\n${warnings.join("\n")}\n-->\n`;
  expect(existsSync(`${file}.html`), `${file}.html is missing: make it with -u and read it`).toBe(true);
  await expect(html + told).toMatchFileSnapshot(`${file}.html`);
});

test("every name of every tag is in a golden file", () => {
  const texts = files.map((file) => readFileSync(`${file}.md`, "utf8")).join("\n");
  expect([...TAGS.keys()].filter((name) => !texts.includes(`{% ${name} `))).toEqual([]);
});

test("every tag has a golden file of its own, or shares that of its other name", () => {
  const owners = new Map([...TAGS].map(([name, tag]) => [tag, name]));
  const aliases = ["tweet", "x", "devcomment", "stackoverflow", "next_tech"];
  expect(owners.size).toBeGreaterThan(50);
  const missing = [...TAGS.keys()].filter(
    (name) => !aliases.includes(name) && !existsSync(join(GOLDEN, "embeds", `${name}.md`)),
  );
  expect(missing).toEqual([]);
});
