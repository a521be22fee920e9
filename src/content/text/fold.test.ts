import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { fold, originalPlaces, spell } from "./fold.ts";

test.each([
  ["Crème BRÛLÉE", "creme brulee"],
  ["Straße STRASSE ẞ", "strasse strasse ss"],
  ["İstanbul ısı", "istanbul isi"],
  ["Łódź Ærø œuvre Þórr", "lodz aero oeuvre thorr"],
  ["ÆSIR Œuf ÞÓR Øl ĐÀ", "aesir oeuf thor ol da"],
  ["п\u02bcять Hawai\u02bbi", "п'ять hawai'i"],
  ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
  ["Ёлка ёлка", "елка елка"],
  ["ﬁne ＷＩＤＥ ① x² 𝐁𝐨𝐥𝐝", "fine wide 1 x2 bold"],
  ["Rust™", "rust "],
  ["مَرْحَبًا أهلاً", "مرحبا اهلا"],
  ["کتاب می‌خواهم", "كتاب ميخواهم"],
  ["שָׁלוֹם", "שלום"],
  ["हिन्दी", "हिन्दी"],
  ["ภาษาไทย", "ภาษาไทย"],
  ["ガ ｶﾞ が", "ガ ガ が"],
  ["한국어", "한국어"],
  ["a\0b\tc\u0085d", "a b c d"],
  ["co\u00adop \u{1f1e6}", "coop \u{1f1e6}"],
  ["a\ud800b", "a\ufffdb"],
])("%j folds to %j", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test("folding twice changes nothing, and leaves neither capitals nor control characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
      const folded = fold(text);
      expect(fold(folded)).toBe(folded);
      expect(folded).not.toMatch(/\p{Cc}/u);
      expect(folded.toLowerCase()).toBe(folded);
    }),
    { numRuns: cases(2000, 300) },
  );
});

test("each character of a spelt text has a place in the text, in order", () => {
  const letters = [
    "a",
    "é",
    "e\u0301",
    "ﬁ",
    "½",
    "\u200d",
    "™",
    "가",
    "\u1100\u1161",
    "が",
    "か\u3099",
    "\u0640",
    "\0",
    "🧶",
  ];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }), (text) => {
      const places = originalPlaces(text);
      expect(places.length).toBe(spell(text).length + 1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    }),
    { numRuns: cases(2000, 300) },
  );
});
