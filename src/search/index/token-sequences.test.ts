import fc from "fast-check";
import { expect, test } from "vitest";
import { Arena } from "./arena.ts";
import { FAR, TokenSequences } from "./token-sequences.ts";
import { WantedTokens } from "./sequence-bytes.ts";

/** Tokens of one to three bytes, those with equal last bits, and those that end like the signs of the sequence. */
const NUMBERS = [0, 1, 2, 125, 126, 127, 128, 254, 255, 16_381, 16_382, 16_383, 1_000_000];

interface Text {
  /** Tokens by position, which rises by one or more; some positions have several. */
  tokens: { position: number; number: number }[];
}

const text: fc.Arbitrary<Text> = fc
  .array(fc.tuple(fc.constantFrom(0, 1, 1, 1, 2, 40, 128, 129, 200), fc.constantFrom(...NUMBERS)), {
    maxLength: 60,
  })
  .map((steps) => {
    let position = 1;
    const tokens = steps.map(([step, number], at) => ({
      position: (position += at === 0 ? 0 : step),
      number,
    }));
    return { tokens };
  });
const places = fc.array(fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});

/** Two texts, so that neither begins where the memory does. */
function written(texts: readonly Text[]): TokenSequences {
  const sequences = new TokenSequences(new Arena());
  for (const [slot, { tokens }] of texts.entries()) {
    sequences.begin();
    for (const { position, number } of tokens) sequences.add(position, number);
    sequences.end(slot);
  }
  return sequences;
}

function clausesOf(asked: readonly (readonly number[])[]): WantedTokens {
  const wanted = new WantedTokens();
  for (const [place, numbers] of asked.entries()) for (const number of numbers) wanted.add(number, place);
  return wanted;
}

const placesOf = (asked: readonly (readonly number[])[], number: number) =>
  asked.reduce((mask, numbers, place) => (numbers.includes(number) ? mask | (1 << place) : mask), 0);

/** Of the wanted tokens, by their positions. */
function masksOf({ tokens }: Text, asked: readonly (readonly number[])[]): Map<number, number> {
  const masks = new Map<number, number>();
  for (const { position, number } of tokens) {
    const mask = placesOf(asked, number);
    if (mask !== 0) masks.set(position, (masks.get(position) ?? 0) | mask);
  }
  return masks;
}

test("the positions of wanted tokens are found up to the end of the head", () => {
  fc.assert(
    fc.property(text, text, places, fc.nat(400), (one, other, asked, end) => {
      const sequences = written([one, other]);
      const expected = [...masksOf(other, asked)].filter(([position]) => position <= end);
      const found = sequences.read(1, clausesOf(asked), end, false);
      expect([...sequences.positions.subarray(0, found)]).toEqual(expected.map(([position]) => position));
      expect([...sequences.masks.subarray(0, found)]).toEqual(expected.map(([, mask]) => mask));
    }),
  );
});

test("behind the head their distances are right, as far as they matter", () => {
  const distances = (positions: readonly number[], end: number) =>
    positions.map((position, at) =>
      position <= end ? position : Math.min(FAR, position - (positions[at - 1] ?? 0)),
    );
  fc.assert(
    fc.property(text, text, places, fc.nat(400), (one, other, asked, end) => {
      const sequences = written([one, other]);
      const expected = masksOf(other, asked);
      const found = sequences.read(1, clausesOf(asked), end, true);
      const positions = [...sequences.positions.subarray(0, found)];
      expect([...sequences.masks.subarray(0, found)]).toEqual([...expected.values()]);
      expect(distances(positions, end)).toEqual(distances([...expected.keys()], end));
    }),
  );
});

test("a phrase is found where each of its places but the gaps has a token", () => {
  fc.assert(
    fc.property(text, text, places, fc.nat(15), (one, other, asked, bits) => {
      const sequences = written([one, other]);
      // The first place is none.
      const gaps = bits & (2 ** asked.length - 1) & ~1;
      const at = (position: number) => other.tokens.filter((token) => token.position === position);
      const isPhrase = other.tokens.some(({ position }) =>
        asked.every(
          (numbers, place) =>
            (gaps & (1 << place)) !== 0 ||
            at(position + place).some(({ number }) => numbers.includes(number)),
        ),
      );
      const wanted = Object.assign(clausesOf(asked), { length: asked.length, gaps });
      expect(sequences.hasPhrase(1, wanted)).toBe(isPhrase);
    }),
  );
});

test("tokens that were wanted before are not", () => {
  const sequences = written([{ tokens: [{ position: 1, number: 70_000 }] }]);
  const wanted = clausesOf([[70_000]]);
  expect(sequences.read(0, wanted, 10, true)).toBe(1);
  wanted.clear();
  expect(sequences.read(0, wanted, 10, true)).toBe(0);
});
