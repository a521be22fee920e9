import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCorpus } from "../bench/relevance/corpus.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-corpus-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("lines of a community file end at line feeds alone: JSON allows U+2028 and U+2029 in a text", async () => {
  const file = join(folder, "community.ndjson");
  const body_markdown = "One\u2028two\u2029three";
  const article = {
    type: "article",
    slug: "a",
    title: "A",
    body_markdown,
    published_at: "2026-01-01T00:00:00Z",
  };
  const user = { type: "user", username: "lena", name: "Lena" };
  await writeFile(file, [user, article].map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { articles } = await readCorpus(file);
  expect(articles.map(({ slug }) => slug)).toEqual(["a"]);
});
