import { expect, test } from "vitest";
import { vocabularyOf } from "./vocabulary.ts";

test("the vocabulary has the words of titles, tags and names, each once, and joined words both ways", () => {
  expect(
    vocabularyOf({
      title: "Kubernetes: an e-mail about Node.js, Articles and kubernetes",
      tags: ["webdev"],
      names: ["Zoë Ångström", "zoe_a"],
    }),
  ).toEqual([
    "kubernetes",
    "mail",
    "email",
    "about",
    "node",
    "nodejs",
    "articles",
    "and",
    "webdev",
    "zoe",
    "angstrom",
    "zoea",
  ]);
});

test("the vocabulary has no numbers, versions, very short or long words, stems, name parts or runs", () => {
  const title = `2024 v1.29 ab C++ useEffect running 火焰图 ${"x".repeat(41)} ${"y".repeat(40)}`;
  expect(vocabularyOf({ title, tags: [], names: [] })).toEqual(["useeffect", "running", "y".repeat(40)]);
});
