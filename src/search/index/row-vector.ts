import { FIELD_GAP } from "./vector.ts";

/** Where the fields of an article end: the last position of each. Those of tags and names are one field. */
export interface FieldEnds {
  title: number;
  names: number;
  description: number;
  body: number;
}

/** A token of a row: its bytes, their hash, and its positions at `positions`, two bytes each. */
export type VisitToken = (from: number, to: number, hash: number, positions: number, count: number) => void;

export const POSITION = 0x3fff;
export const WEIGHT_A = 3;
const WEIGHT_B = 2;

const FIRST_HASH = 0x811c9dc5;
/** FNV-1a (Fowler, Noll, Vo), of 32 bits. */
const nextHash = (hash: number, byte: number) => Math.imul(hash ^ byte, 0x01000193);

export function hashOfBytes(bytes: Uint8Array): number {
  let hash = FIRST_HASH;
  for (const byte of bytes) hash = nextHash(hash, byte);
  return hash;
}

export const readShort = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

/**
 * Visits the tokens of a `tsvector` as `tsvectorsend` writes it: a count, and for each token its bytes, a zero, the number
 * of its positions, and these with a weight in their two highest bits.
 */
export function visitTokens(vector: Buffer, visit: VisitToken): void {
  let at = 4;
  for (let left = vector.readInt32BE(0); left > 0; left--) {
    const from = at;
    let hash = FIRST_HASH;
    for (let byte = vector[at] as number; byte !== 0; byte = vector[++at] as number)
      hash = nextHash(hash, byte);
    const count = readShort(vector, at + 1);
    visit(from, at, hash, at + 3, count);
    at += 3 + 2 * count;
  }
}

/** Reads the weights of vector.ts: A for titles alone, B for tags and names, B or C for words derived from titles. */
export function fieldEnds(vector: Buffer): FieldEnds {
  const last = [0, 0, 0, 0];
  let at = 4;
  for (let left = vector.readInt32BE(0); left > 0; left--) {
    while (vector[at] !== 0) at++;
    const to = at + 3 + 2 * readShort(vector, at + 1);
    for (at += 3; at < to; at += 2) {
      const entry = readShort(vector, at);
      const weight = entry >>> 14;
      if ((entry & POSITION) > (last[weight] as number)) last[weight] = entry & POSITION;
    }
  }
  const [body, description] = last as [number, number, number, number];
  const [title, names] = [last[WEIGHT_A] as number, last[WEIGHT_B] as number];
  const head = Math.max(title, names, description);
  return {
    title,
    names: Math.max(title, names),
    description: head,
    body: Math.max(head + FIELD_GAP, body),
  };
}

export const STEM_SIGN = "=".charCodeAt(0);

/** The number of the field of a position: title, tags and names, description, body. */
export function fieldAt(position: number, { title, names, description }: FieldEnds): number {
  if (position <= title) return 0;
  if (position <= names) return 1;
  return position <= description ? 2 : 3;
}

/** The tokens with the most positions, the most frequent first. */
export function frequentTokens(vectors: readonly Buffer[], most: number): string[] {
  const positions = new Map<string, number>();
  for (const vector of vectors) {
    visitTokens(vector, (from, to, _hash, _positions, count) => {
      if (vector[from] === STEM_SIGN) return;
      const token = vector.toString("utf8", from, to);
      positions.set(token, (positions.get(token) ?? 0) + count);
    });
  }
  const found = [...positions].toSorted(([, one], [, other]) => other - one).slice(0, most);
  return found.map(([token]) => token);
}
