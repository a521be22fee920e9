import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../test/long.ts";
import { fold } from "../../content/text/fold.ts";
import { readTokens, type Token } from "./vector.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";

function rowTokens(text: string, language: SearchLanguage) {
  const found: (Token & { position: number })[] = [];
  readTokens(text, language, (token, position) => found.push({ ...token, position }));
  return found;
}

/** Writes each token with its position, and a star when it is not what is written. */
const write = (text: string, language: SearchLanguage = "simple") =>
  rowTokens(text, language)
    .map(({ token, position, derived }) => `${token}@${position}${"*".repeat(derived)}`)
    .join(" ");

test.each([
  ["a 中国 b", "a@1 中国@2 国@3 b@4"],
  ["火焰图", "火焰@1 焰图@2 图@3"],
  ["图", "图@1"],
  ["กินข้าว", "กิน@1 นข้@2 ข้า@3 าว@4 ว@5"],
  ["ノンブロック", "ノン@1 ンブ@2 ブロ@3 ロッ@4 ック@5 ク@6"],
  ["도커라", "도커@1 커라@2 라@3"],
  ["use Node.js now", "use@1 node@2 js@3 .js@3 nodejs@2 now@4"],
  ["asp.net", "asp@1 net@2 .net@2 aspnet@1"],
  [".NET", "net@1 .net@1"],
  [".NET8", "net8@1 .net8@1 net@1* 8@1* .net@1*"],
  ["e-mail", "e@1 mail@2 email@1"],
  ["C++ c#", "c++@1 c#@2"],
  ["notepad++ x", "notepad++@1 notepad@1* x@2"],
  ["useEffect", "useeffect@1 use@1* effect@1*"],
  ["HTMLParser XMLHttpRequest", "htmlparser@1 html@1* parser@1* xmlhttprequest@2 xml@2* http@2* request@2*"],
  ["Vue3Component", "vue3component@1 vue3@1* component@1*"],
  ["iPhone", "iphone@1 phone@1*"],
  ["APIs NASA Word JavaScript", "apis@1 nasa@2 word@3 javascript@4"],
  ["Vue3 k8s h264 sha25612", "vue3@1 vue@1* 3@1* k8s@2 h264@3 sha25612@4"],
  ["v18", "v18@1 18@1*"],
])("%j has the tokens %s", (text, expected) => {
  expect(write(text)).toBe(expected);
});

test.each([
  ["running articles", "running@1 =run@1* articles@2 =articl@2*"],
  ["happiness happy", "happiness@1 =happi@1* happy@2 =happi@2*"],
  ["run as", "run@1 as@2"],
  ["fileNames", "filenames@1 =filenam@1* file@1* names@1* =name@1**"],
  ["state-machines", "state@1 machines@2 =machin@2* statemachines@1 =statemachin@1*"],
  ["naïves привет", "naives@1 =naiv@1* привет@2"],
])("in English %j has the tokens %s", (text, expected) => {
  expect(write(text, "english")).toBe(expected);
});

test.each<[SearchLanguage, string, string]>([
  ["german", "Alte Häuser", "alte@1 =de:alt@1* hauser@2 =de:haus@2*"],
  ["german", "Haus", "haus@1 =de:haus@1*"],
  ["french", "États-Unis", "etats@1 =fr:etat@1* unis@2 =fr:unis@2* etatsunis@1 =fr:etatsun@1*"],
  ["russian", "новый й", "новыи@1 =ru:нов@1* и@2"],
  ["turkish", "kitapları", "kitaplari@1 =tr:kitap@1*"],
])("in %s %j has the tokens %s", (language, text, expected) => {
  expect(write(text, language)).toBe(expected);
});

test("case changes no token but the parts of a camelCase name", () => {
  const written = (text: string) =>
    rowTokens(text, "english")
      .filter(({ derived }) => derived === 0)
      .map(({ token, position }) => `${token}@${position}`);
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...Array.from("aBß1.+#-_'İςΣ中 ")), maxLength: 20 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(written(fold(text))).toEqual(written(text));
    }),
    { numRuns: cases(3000, 300) },
  );
});
