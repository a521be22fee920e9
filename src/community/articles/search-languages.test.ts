import { beforeAll, describe, expect, test } from "vitest";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as articleUpkeep from "./upkeep.ts";

/** Long enough for their language to be sure. */
const BODIES = {
  German: `In dieser Straße stehen viele alte Häuser, die von ihren Besitzern mit großer Mühe erhalten werden. Wer
    durch das Viertel geht, sieht noch heute, wie die Menschen vor hundert Jahren gewohnt und gearbeitet haben.`,
  French: `Les réunions régulières de notre petite association ont lieu chaque semaine dans la salle de la mairie, et
    tous les habitants du quartier qui veulent aider les autres sont toujours les bienvenus parmi nous.`,
  Russian: `Мы каждый вечер читаем детям вслух интересные истории, а потом долго говорим о том, чему нас учат хорошие
    книги и почему их герои поступают именно так, а не иначе, когда им становится страшно.`,
  Turkish: `Şehrin eski kitapçılarında dolaşmayı çok seviyorum, çünkü raflarda yıllardır unutulmuş güzel kitapları
    bulmak ve onları eve götürüp akşamları okumak bana her zaman büyük bir mutluluk veriyor.`,
  English: `This is not about anything but the weather, which has been rather dull for most of the last few weeks, so
    that nobody has wanted to go out and all of us have stayed at home with a good book instead.`,
};

const found = async (q: string) => (await search(world, { q })).titles.toSorted();

const world = worldForAll();
beforeAll(async () => {
  await world.user({ username: "ada" });
  await world.articles(
    Object.entries(BODIES).map(([title, body]) => ({
      author: "ada",
      title,
      slug: `${title.toLowerCase()}-x`,
      description: "In short.",
      body_markdown: body.replaceAll(/\s+/g, " "),
    })),
  );
});

describe("on a site in English", () => {
  test.each([
    ["Haus", "German"],
    ["häusern", "German"],
    ["régulier", "French"],
    ["réunion", "French"],
    ["книгой", "Russian"],
    ["хорошая", "Russian"],
    ["kitaplar", "Turkish"],
    ["book", "English"],
    ["BOOKS", "English"],
  ])("%s is found by the inflections of its article's language", async (q, title) => {
    expect(await found(q)).toEqual([title]);
  });

  test("an inflection of one language is none of another's articles", async () => {
    expect(await found("not -x")).toEqual(["English"]);
    // The stem in French is "not".
    expect(await found("notes -x")).toEqual([]);
  });

  test("an exclusion is read by the inflections of each language", async () => {
    expect(await found("Straße")).toEqual(["German"]);
    expect(await found("Straße -Haus")).toEqual([]);
  });
});

describe("the language of the site", () => {
  test("is that of articles whose own is not sure", async () => {
    await world.article({ username: "ada" }, { slug: "short-x", title: "Ein Tor" });
    expect(await found("Toren")).toEqual([]);
    await settings.set(world.db, "search_language", "german");
    expect(await articleUpkeep.indexAgain(world.db)).toBe(6);
    expect(await found("Toren")).toEqual(["Ein Tor"]);
    expect(await found("книгой")).toEqual(["Russian"]);
    expect(await found("books")).toEqual(["English"]);
  });

  test("turns all inflections off where it is simple", async () => {
    await settings.set(world.db, "search_language", "simple");
    expect(await articleUpkeep.indexAgain(world.db)).toBe(6);
    expect(await found("häusern")).toEqual([]);
    expect(await found("häuser")).toEqual(["German"]);
  });
});
