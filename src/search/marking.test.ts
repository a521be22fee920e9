import { expect, test } from "vitest";
import { type Mark, Marker } from "./marking.ts";
import { parseQuery, type WordQuery } from "./index/query.ts";
import type { Meant } from "./index/terms.ts";

function markerOf(q: string, meant: ReadonlyMap<string, Meant> = new Map()): Marker {
  return new Marker(parseQuery(q, { language: "english", meant }) as WordQuery, "english");
}

/** The text with its marks in brackets; those that overlap are one. */
function write(text: string, marks: readonly Mark[]): string {
  const isMarked = Array.from(text, () => false);
  for (const { start, end } of marks) isMarked.fill(true, start, end);
  const pieces = text.split("").map((character, at) => {
    const [before, now, after] = [isMarked[at - 1], isMarked[at], isMarked[at + 1]];
    return `${now && !before ? "[" : ""}${character}${now && !after ? "]" : ""}`;
  });
  return pieces.join("");
}

const marked = (q: string, text: string, meant?: ReadonlyMap<string, Meant>) =>
  write(text, markerOf(q, meant).marks(text));

test.each([
  ["tomatoes", "A tomato, two Tomatoes, no tomahawk", "A [tomato], two [Tomatoes], no tomahawk"],
  ["severin", "Several words of Severin", "Several words of [Severin]"],
  ["trace", "track and trace", "track and [trace]"],
  ["kube", "Kubernetes", "[Kubernetes]"],
  ["kube x", "Kubernetes x", "Kubernetes [x]"],
  ["cafe", "Café and cafe\u0301s", "[Café] and [cafe\u0301s]"],
  ["file", "a ﬁle", "a [ﬁle]"],
  ["c++", "C, C++ and C++17", "C, [C++] and [C++]17"],
  ["c", "C and C++", "[C] and C++"],
  [".net", "the net, .NET and ASP.NET", "the net, [.NET] and ASP[.NET]"],
  ["node.js", "a node in js, Node JS, Node.js, NodeJS", "a [node] in [js], [Node] [JS], [Node.js], [NodeJS]"],
  ["nodejs", "Node.js", "[Node.js]"],
  ["1.29", "1.29, 129", "[1.29], 129"],
  ["snake", "snake_case", "[snake]_case"],
  ["snakec", "snake_case", "[snake_case]"],
  ["case", "snake_case and camelCase", "snake_[case] and [camelCase]"],
  ["焰图", "火焰图，焰火", "火[焰图]，焰火"],
  ["火焰图", "火焰图", "[火焰图]"],
  ["图", "地图集", "地[图]集"],
  ["how to grow tomatoes", "How to grow tomatoes", "How to [grow] [tomatoes]"],
  ["the who", "The Who", "[The] [Who]"],
  ['"the who"', "The Who, who", "[The] [Who], who"],
  ['"fire escape"', "a fire, an escape, a fire escape", "a fire, an escape, a [fire] [escape]"],
  ["duck -goose", "duck and goose", "[duck] and goose"],
])("a search for %j marks %j as %j", (q, text, expected) => {
  expect(marked(q, text)).toBe(expected);
});

test("a word that was corrected marks what it was corrected to", () => {
  const meant = new Map([["tomattoes", { words: ["tomatoes"], factor: 0.7, isInstead: true, apart: [] }]]);
  expect(marked("tomattoes", "tomattoes and tomatoes", meant)).toBe("tomattoes and [tomatoes]");
});

test("rare words weigh more than several frequent ones", () => {
  const query = parseQuery("growing garden zinnias", { language: "english" }) as WordQuery;
  const articles: Record<string, number> = { growing: 900, garden: 900 };
  const marker = new Marker(query, "english", (token) => articles[token] ?? 1);
  const weightOf = (text: string) => marker.weightOf(marker.marks(text));
  expect(weightOf("zinnias")).toBeGreaterThan(weightOf("growing in a garden"));
  expect(weightOf("a garden garden")).toBe(weightOf("garden"));
  expect(weightOf("Garden, growing zinnias")).toBeCloseTo(marker.weight);
});

test.each(["happy", "hoping", "c++", ".net", "node.js", "café", "[^a-z]\\", "火焰图", "the who"])(
  "the first mark of %j is at a likely place",
  (q) => {
    const text = "Happiness, HAPPY; hope. C++ .NET Node.js NodeJS Cafés [^a-z]\\ 火焰图 The Who";
    const marker = markerOf(q);
    const [first] = marker.marks(text);
    const places = marker.likelyPlaces(text).map(({ start }) => start);
    expect(places.some((place) => first !== undefined && place >= first.start && place < first.end)).toBe(
      true,
    );
  },
);
