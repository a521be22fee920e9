import { describe, expect, test } from "vitest";
import { optionsOf } from "./query-parts.ts";
import { parseQuery } from "./query.ts";
import { writeExact } from "./terms.ts";

describe("a dash", () => {
  const read = (q: string) => {
    const { clauses = [], exclusions = [] } = parseQuery(q, { language: "simple" }) ?? {};
    return `${clauses.map(({ text }) => text).join(" ")} -${exclusions.map(writeExact).join(" -")}`;
  };

  test.each([
    ["pasta -vegan", "pasta -'vegan'"],
    ["rust -game -engine", "rust -'game' -'engine'"],
    ["what's new -react", "what-s new -'react'"],
    ["node.js x -c++", "node-js node js x -'c++'"],
    ['rust -game -"the film"', "rust -'game' -('the' <1> 'film')"],
  ])("excludes at the end, where nothing but exclusions follows: %s", (q, words) => {
    expect(read(q)).toBe(words);
  });

  test.each([
    ["docker run -it alpine", "docker run it alpine -"],
    ["rm -rf node_modules", "rm rf node-modules node modules -"],
    ["git commit -m message", "git commit m message -"],
    ["node --inspect -r esm -v", "node inspect r esm v -"],
    ["npm test -- --watch -u", "npm test watch u -"],
    ["-Xmx java", "xmx java -"],
    ["Spider-Man -- the film", "spider-man spider man the film -"],
    ["deadlock - why", "deadlock why -"],
  ])("is one of a command or a sentence elsewhere: %s", (q, words) => {
    expect(read(q)).toBe(words);
  });

  test("before quoted words excludes wherever it stands", () => {
    expect(read('-"red wool" loom -it x')).toBe("loom it x -('red' <1> 'wool')");
  });
});

test.each([
  ["git hub actions", ["git|github", "hub|github|hubactions", "actions|hubactions"]],
  ["data base", ["data|database", "base|database"]],
  ["log in", ["log|login", "in|login"]],
  ["in valid", ["in", "valid"]],
  ["e mail", ["e", "mail"]],
  ["vue 3", ["vue", "3"]],
  ['git "hub" x', ["git", "hub", "x"]],
  ["git -hub", ["git"]],
  ["git hub.com", ["git", "hubcom", "hub", "com"]],
])("neighbours of two letters or more may be written as one: %s", (q, words) => {
  const { clauses = [] } = parseQuery(q, { language: "simple" }) ?? {};
  const tokens = clauses.map(({ condition: [phrase = []] }) => phrase[0] ?? []);
  const ofWords = tokens.map((forms) =>
    forms.filter((form) => form.isBeginning !== true).map(({ token }) => token),
  );
  expect(ofWords.map((each) => each.join("|"))).toEqual(words);
});

test("of many words the longest count", () => {
  const short = Array.from({ length: 80 }, (_, n) => `w${n}`);
  const telling = ["kubernetes", "operators", "reconcile"];
  const { clauses = [] } = parseQuery([...short, ...telling].join(" "), { language: "english" }) ?? {};
  const texts = clauses.map(({ text }) => text);
  expect(texts).toHaveLength(64);
  expect(texts.slice(-3)).toEqual(telling);
});

test.each([
  ["go build -race", ["-race"]],
  ["rust -game -c++", ["-game", "-c++"]],
  ['rust -"game" -engine', ["-engine"]],
  ['rust -"game"', []],
  ["docker run -it alpine", []],
  ["go build", []],
])("the options of %s, which articles may write, are %j", (q, options) => {
  expect(optionsOf(q)).toEqual(options);
});
