import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "ink_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** A new key: the prefix, 190 random bits, and a checksum that finds typing errors without a query. */
export function makeKey(): string {
  const secret = randomCharacters(RANDOM_CHARACTERS);
  return PREFIX + secret + checksum(secret);
}

/** What is stored of a key. A plain hash is enough for something that nobody can guess. */
export function keyHash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Whether the text claims to be a key of this server; keys brought from elsewhere look otherwise. */
export function hasKeyPrefix(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function hasValidChecksum(text: string): boolean {
  const length = PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
  if (text.length !== length || !hasKeyPrefix(text)) return false;
  const secret = text.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  return text.slice(-CHECKSUM_CHARACTERS) === checksum(secret);
}

/** Beginning and end of a key, or null for one so short that they would give it away. */
export function hintOf(key: string): string | null {
  return key.length < 30 ? null : `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  while (rest > 0) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits.padStart(CHECKSUM_CHARACTERS, "0");
}

function randomCharacters(count: number): string {
  // Bytes above the largest multiple of 62 are thrown away, else the first digits would be likelier.
  const usable = 256 - (256 % DIGITS.length);
  let characters = "";
  while (characters.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < usable && characters.length < count) characters += DIGITS.charAt(byte % DIGITS.length);
    }
  }
  return characters;
}
