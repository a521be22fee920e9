import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { fold } from "../../content/text/fold.ts";
import { readTokens, type Token } from "./vector.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";

function rowTokens(text: string, language: SearchLanguage) {
  const found: (Token & { position: number })[] = [];
  readTokens(text, language, (token, position) => found.push({ ...token, position }));
  return found;
}

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
