import { beforeAll, describe, expect, test } from "vitest";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

/** Titles and bodies that have the same letters and digits but say something else. */
const ARTICLES: Record<string, string> = {
  "Templates in C++": "They are hard.",
  "A tour of C++17": "Structured bindings.",
  "Pointers in C": "They are hard too.",
  "Records in C#": "They are easy.",
  "Unions in F#": "They are neat.",
  "F major for the piano": "A scale.",
  "Web servers with .NET": "They start fast.",
  "The net of a fisher": "It has holes.",
  "Streams in Node.js": "They flow.",
  "A node in a tree": "Drawn with plain js by hand.",
  "Composition in Vue3": "It composes.",
  "Running k8s at home": "On an old laptop.",
  "What is new in 1.29": "Sidecars.",
  "One of 1 cat and 29 dogs": "They bark.",
  "Exactly 129 ways": "All of them wrong.",
  "Numbers as u128/i128": "Serialised as text.",
  "A signed i128": "By itself.",
  "About CVE-2015-8027": "Upgrade now.",
  "About CVE-2015-8028": "Upgrade later.",
  "Popups by window.open()": "They are blocked.",
  "Who will open the window": "It is hot.",
  "Notes from Tech@State": "A meeting.",
  "The state of tech": "It depends.",
  "Sending e-mail": "It takes a while.",
  "A mail in E": "It is a piece of music.",
  "How to reach us": "Write to jane.doe@example.org or call.",
  "How not to reach us": "A doe called Jane is no example of an org.",
  "Naming in Python": "Such as snake_case_name here.",
  "A snake by name": "In no case a toy.",
  "Hooks once more": "Such as useEffectOnce here.",
  "Side effects": "To use them once is to use them always.",
  "Where the manual is": "See https://manual.example.com/guide/start?lang=en#top for more.",
  "A manual for example": "The guide says how to start.",
};

const found = async (q: string) => {
  const { titles, match } = await search(world, { q });
  expect(match).toBe("exact");
  return titles.toSorted();
};

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "ada" });
  await world.articles(
    Object.entries(ARTICLES).map(([title, body_markdown], index) => ({
      author: "ada",
      title,
      body_markdown,
      slug: `article-${index}-x`,
      description: "In short.",
      tags: title.startsWith("Naming") ? ["rustacean"] : [],
    })),
  );
});

describe("a search by what is written with symbols", () => {
  test.each([
    ["c++", ["A tour of C++17", "Templates in C++"]],
    ["C++17", ["A tour of C++17"]],
    ["c#", ["Records in C#"]],
    ["f#", ["Unions in F#"]],
    ["f", ["F major for the piano"]],
    ["c", ["Pointers in C"]],
    [".net", ["Web servers with .NET"]],
    ["net", ["The net of a fisher", "Web servers with .NET"]],
    ["nodejs", ["Streams in Node.js"]],
    ["node", ["A node in a tree", "Streams in Node.js"]],
    ["node js", ["A node in a tree", "Streams in Node.js"]],
    ["vue3", ["Composition in Vue3"]],
    ["vue 3", ["Composition in Vue3"]],
    ["vue", ["Composition in Vue3"]],
    ["k8s", ["Running k8s at home"]],
    ["1.29", ["What is new in 1.29"]],
    ["129", ["Exactly 129 ways"]],
    ["u128/i128", ["Numbers as u128/i128"]],
    ["i128", ["A signed i128", "Numbers as u128/i128"]],
    ["cve-2015", ["About CVE-2015-8027", "About CVE-2015-8028"]],
    ["window open", ["Popups by window.open()", "Who will open the window"]],
    ["tech state", ["Notes from Tech@State", "The state of tech"]],
    ["email", ["Sending e-mail"]],
    ["e mail", ["A mail in E", "Sending e-mail"]],
    ["snake case name", ["A snake by name", "Naming in Python"]],
    ["useEffectOnce", ["Hooks once more"]],
    ["useeffectonce", ["Hooks once more"]],
    ["useeff", ["Hooks once more"]],
    ["effect once", ["Hooks once more", "Side effects"]],
    ["#rustacean", ["Naming in Python"]],
  ])("finds exactly what has it: %s", async (q, titles) => {
    expect(await found(q)).toEqual(titles);
  });

  test.each([
    ["node.js", ["Streams in Node.js"]],
    ["CVE-2015-8027", ["About CVE-2015-8027"]],
    ["window.open()", ["Popups by window.open()"]],
    ["Tech@State", ["Notes from Tech@State"]],
    ["jane.doe@example.org", ["How to reach us"]],
    ["jane.doe", ["How to reach us"]],
    ["e-mail", ["Sending e-mail"]],
    ["snake_case_name", ["Naming in Python"]],
    ["case_name", ["Naming in Python"]],
    ["https://manual.example.com/guide/start?lang=en#top", ["Where the manual is"]],
    ["http://manual.example.com/guide", ["Where the manual is"]],
    ["manual.example.com", ["Where the manual is"]],
  ])("finds first what has it, and words of it apart behind: %s", async (q, titles) => {
    const { titles: all, match } = await search(world, { q });
    expect([all.slice(0, titles.length).toSorted(), match]).toEqual([titles, "exact"]);
  });

  test("leaves out only what has the very symbol", async () => {
    expect(await found("hard -c++")).toEqual(["Pointers in C"]);
    expect(await found("hard -c")).toEqual(["Templates in C++"]);
    expect(await found("net -.net")).toEqual(["The net of a fisher"]);
  });
});
