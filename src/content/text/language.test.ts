import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf } from "./page-html.ts";

const DEMO = join(import.meta.dirname, "../../../demo/articles");

/** The paragraphs of an article of the demo community, as HTML. */
function bodyOf(name: string): string {
  const text = readFileSync(join(DEMO, `${name}.md`), "utf8").replace(/^---[\s\S]*?\n---\n/, "");
  return text
    .split(/\n{2,}/)
    .filter((part) => /^[\p{L}“"']/u.test(part))
    .map((part) => `<p>${part.replaceAll(/[<>&]/g, " ")}</p>`)
    .join("\n");
}

const HINDI = "purane-radio-ki-marammat";

const OTHERS: Record<string, string> = {
  "bary-al-qalam": "ar",
  "broa-de-milho": "pt",
  "gaiwan-pao-cha-rumen": "zh",
  "kak-uhazhivat-za-tsepyu": "ru",
  "kompost-ohne-geruch": "de",
  "la-lettre-de-remerciement": "fr",
  "leer-las-curvas-de-nivel": "es",
  "nueng-khao-niao": "th",
  "reparer-une-fermeture-eclair": "fr",
  "roggenbrot-warum-saeure-hilft": "de",
  "sumi-no-surikata": "ja",
  "tortillas-de-maiz-y-cal": "es",
  "watoji-no-chiisana-nooto": "ja",
  "yangmal-gipgi": "ko",
  "yangtai-zhong-cong": "zh",
};

describe("the language of a text", () => {
  test.each(Object.entries(OTHERS))("%s is %s", (name, language) => {
    expect(languageOf(bodyOf(name))).toBe(language);
  });

  test("is unknown where a related one comes too near", () => {
    expect(languageOf(bodyOf(HINDI))).toBeUndefined();
  });

  test("is never mistaken in the English articles of the demo community", () => {
    const names = readdirSync(DEMO).map((file) => file.replace(/\.md$/, ""));
    const english = names.filter((name) => !(name in OTHERS) && name !== HINDI && bodyOf(name).length > 300);
    expect(english.length).toBeGreaterThan(40);
    const found = english.map((name) => languageOf(bodyOf(name)));
    expect(new Set(found.filter((language) => language !== undefined))).toEqual(new Set(["en"]));
    expect(found.filter((language) => language === "en").length).toBeGreaterThan(english.length * 0.9);
  });

  test.each([
    ["a short text", "<p>Das ist kurz.</p>"],
    ["code", `<pre><code>${"const value = await load(); ".repeat(20)}</code></pre>`],
    ["numbers", `<p>${"12 34 56 ".repeat(40)}</p>`],
    ["nothing", ""],
  ])("is unknown of %s", (_name, html) => {
    expect(languageOf(html)).toBeUndefined();
  });

  test("doesn't depend on code in other words", () => {
    const code = `<pre><code>${"the value of this function is returned when the user has been found ".repeat(10)}</code></pre>`;
    expect(languageOf(code + bodyOf("kompost-ohne-geruch"))).toBe("de");
  });
});
