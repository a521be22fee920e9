import { beforeAll, describe, expect, test } from "vitest";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

const CHINESE = "用火焰图分析性能瓶颈";
const JAPANESE = "東京の庭園をゆっくり歩く";
const KATAKANA = "テストデータの作り方";
const KOREAN = "한국어 형태소 분석기 만들기";

const TITLES = [
  CHINESE,
  JAPANESE,
  KATAKANA,
  KOREAN,
  "焰火图",
  "การเขียนโปรแกรมเบื้องต้น",
  "مقدمة في البرمجة",
  "বাংলা ভাষায় প্রোগ্রামিং",
  "Привет, мир",
  "Ёлка и звёзды",
  "Καλημέρα, κόσμος",
  "Φωσφόρος",
  "שלום עולם",
  "हिन्दी में प्रोग्रामिंग",
];

const found = async (q: string) => (await search(world, { q })).titles;

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "ada" });
  await world.articles(
    TITLES.map((title, index) => ({
      author: "ada",
      title,
      slug: `article-${index}-x`,
      description: "In short.",
      body_markdown: index === 0 ? "正文里也写着彩虹。" : "Some words.",
    })),
  );
});

/** All parts of two characters or more that begin and end with a letter. */
function partsOf(title: string): string[] {
  const letters = Array.from(title);
  const parts = letters.flatMap((_, from) =>
    letters.slice(from + 1).map((_last, more) => letters.slice(from, from + more + 2).join("")),
  );
  return [...new Set(parts.filter((part) => part.trim() === part))];
}

describe("a search in any script", () => {
  test.each([CHINESE, JAPANESE, KATAKANA, KOREAN])(
    "finds %s by every part of its title, and nothing else",
    async (title) => {
      const parts = partsOf(title);
      expect(parts.length).toBeGreaterThan(40);
      for (const part of parts) expect([part, await found(part)]).toEqual([part, [title]]);
    },
  );

  test("tells the same characters in another order apart, and finds one alone, and parts of bodies", async () => {
    expect(await found("火焰图")).toEqual([CHINESE]);
    expect(await found("焰火图")).toEqual(["焰火图"]);
    expect(await found("图焰")).toEqual([]);
    expect((await found("图")).toSorted()).toEqual([CHINESE, "焰火图"].toSorted());
    expect(await found("彩虹")).toEqual([CHINESE]);
    expect(await found('"里也写"')).toEqual([CHINESE]);
    expect(await found("图 -彩虹")).toEqual(["焰火图"]);
  });

  test.each([
    ["ﾃｽﾄ", KATAKANA],
    ["เขียน", "การเขียนโปรแกรมเบื้องต้น"],
    ["โปรแกรม", "การเขียนโปรแกรมเบื้องต้น"],
    ["البرمجة", "مقدمة في البرمجة"],
    ["البرمجه", "مقدمة في البرمجة"],
    ["مُقَدِّمة", "مقدمة في البرمجة"],
    ["ভাষায়", "বাংলা ভাষায় প্রোগ্রামিং"],
    ["প্রোগ্রামিং বাংলা", "বাংলা ভাষায় প্রোগ্রামিং"],
    ["প্রোগ্রা", "বাংলা ভাষায় প্রোগ্রামিং"],
    ["हिन्दी", "हिन्दी में प्रोग्रामिंग"],
    ["привет", "Привет, мир"],
    ["ПРИВЕТ", "Привет, мир"],
    ["МИР ПРИВЕТ", "Привет, мир"],
    ["елка ЗВЕЗДЫ", "Ёлка и звёзды"],
    ["ΚΌΣΜΟΣ", "Καλημέρα, κόσμος"],
    ["καλημερα", "Καλημέρα, κόσμος"],
    ["φως", "Φωσφόρος"],
    ["עולם", "שלום עולם"],
  ])("finds %s whatever its case, marks and forms", async (q, title) => {
    const { titles, match } = await search(world, { q });
    expect(titles).toEqual([title]);
    expect(match).toBe("exact");
  });
});
