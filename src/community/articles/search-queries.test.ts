import { beforeAll, describe, expect, test } from "vitest";
import { search, searchUrl } from "../../../test/searching.ts";
import { readPage } from "../../../test/documents.ts";
import { worldForAll } from "../../../test/world.ts";
import * as vocabulary from "../../search/vocabulary.ts";

const ARTICLES: Record<string, string> = {
  "Start a shell in a container": "Type `docker run -it alpine sh` and wait.",
  "Find data races": "Build the program by `go build -race` or `go test -race`.",
  "Pasta for everyone": "Boil it. Serve it with cheese.",
  "Pasta without animals": "A vegan dish, with a vegan sauce.",
  "Games in Rust": "A game, and its engine, in Rust.",
  "Rust for servers": "No play here.",
  "Deploy with GitHub Actions": "A workflow.",
  "TypeScript at work": "Types.",
  "Why open source": "It is free. Open source lasts.",
  "A web server by hand": "It serves files. The web server has no dependencies.",
  "The history of AT&T": "Telephones.",
  "At the station": "A train comes.",
  "Layers of TCP/IP": "Packets.",
  "A packet of mail": "An IP of your own, and TCP too.",
  "Receptors of IGF-1": "Hormones.",
  "A city map": "Streets of the city, npm is not there.",
  "Clean installs with npm": "Type `npm ci`.",
  "Frozen pipes": "Which ones burst first?",
  "Waiting goroutines": "The program says: all goroutines are asleep, which is a deadlock.",
  "Write a letter": "A thank-you is a letter. They thank you.",
  "Der Grüne Salat": "Grüner wird es nicht. Ein grüner Salat, der grüne Salat.",
};

const titlesOf = async (q: string) => (await search(world, { q })).titles;

const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
beforeAll(async () => {
  await world.user({ username: "ada" });
  for (const [title, body_markdown] of Object.entries(ARTICLES))
    await world.article({ username: "ada" }, { title, body_markdown, description: "In short." });
  await vocabulary.addUpChanges(world.db);
});

describe("a dash", () => {
  test.each([
    ["docker run -it alpine", "Start a shell in a container"],
    ["docker -it", "Start a shell in a container"],
    ["go build -race", "Find data races"],
    ["program -RACE", "Find data races"],
    ["frozen--which", "Frozen pipes"],
    ["frozen - pipes", "Frozen pipes"],
    ["fatal error: all goroutines are asleep - deadlock!", "Waiting goroutines"],
  ])("of a command or a sentence excludes nothing: %s", async (q, title) => {
    expect((await titlesOf(q))[0]).toBe(title);
  });

  test.each([
    ["pasta -vegan", ["Pasta for everyone"]],
    ["rust -game -engine", ["Rust for servers"]],
    ['-"vegan dish" pasta', ["Pasta for everyone"]],
    ['program -"race"', ["Waiting goroutines"]],
  ])("excludes where no article writes it so: %s", async (q, titles) => {
    expect(await titlesOf(q)).toEqual(titles);
  });
});

describe("words", () => {
  test.each([
    ["git hub actions", "Deploy with GitHub Actions"],
    ["type script", "TypeScript at work"],
    ["opensource", "Why open source"],
    ["webservers", "A web server by hand"],
  ])("are found written together and apart: %s", async (q, title) => {
    const { titles, match } = await search(world, { q });
    expect([titles[0], match]).toEqual([title, "exact"]);
  });

  test.each([
    ["at&t", ["The history of AT&T"]],
    ["igf-1", ["Receptors of IGF-1"]],
    ["igf1", ["Receptors of IGF-1"]],
    ["tcp/ip", ["Layers of TCP/IP", "A packet of mail"]],
  ])("that are joined by a sign are found so first, then apart: %s", async (q, titles) => {
    expect(await search(world, { q })).toMatchObject({ titles, match: "exact" });
  });

  test("that are the parts of a long path need not all be there", async () => {
    expect((await titlesOf("https://a.example/frozen/pipes/burst/index.html?x=1"))[0]).toBe("Frozen pipes");
  });

  test("of two letters begin no other word", async () => {
    expect(await search(world, { q: "npm ci" })).toMatchObject({ match: "exact" });
    expect((await titlesOf("npm ci"))[0]).toBe("Clean installs with npm");
    expect(await titlesOf("cit")).toEqual(["A city map"]);
    expect(await titlesOf("ci")).toEqual(["Clean installs with npm"]);
  });
});

describe("the match", () => {
  test.each(["zzzz", "zzzz qqqq", '"pasta zzzz"', "pasta -pasta"])(
    "is nothing of an empty answer: %s",
    async (q) => {
      expect(await search(world, { q })).toMatchObject({ titles: [], match: undefined });
    },
  );

  test("is partial only where no article has all words", async () => {
    expect(await search(world, { q: "pasta telephones" })).toMatchObject({ match: "partial" });
    expect(await search(world, { q: "pasta vegan" })).toMatchObject({ match: "exact" });
  });
});

describe("the corrected query", () => {
  const notice = async (q: string) => (await readPage(world, `/search?q=${encodeURIComponent(q)}`)).text;

  test("has the word as articles write it, and leaves words alone that articles have", async () => {
    expect(await notice("grünne salat")).toContain(
      'Showing results for <a href="/search?q=Gr%C3%BCne+salat">Grüne salat</a>',
    );
    expect(await notice("Typscript")).toContain("TypeScript</a>");
    expect(await search(world, { q: "thank you letter" })).toMatchObject({ match: "exact" });
    expect(await notice("thank you telephones")).not.toContain("Showing results");
  });
});

test("a query of 1,000 characters is read, whatever it consists of", async () => {
  const texts = ["pasta ", "a.", "-x ", "中", "ﷺ", '"a" ', "👩‍👩‍👧", "a\u0301", "v1."];
  for (const text of texts) {
    const q = Array.from(text.repeat(1_000)).slice(0, 1_000).join("");
    expect((await world.get(searchUrl({ q }))).status).toBe(200);
  }
  const words = Array.from({ length: 200 }, (_, n) => `w${n}`)
    .join(" ")
    .slice(0, 980);
  expect((await titlesOf(`${words} telephones`))[0]).toBe("The history of AT&T");
});
