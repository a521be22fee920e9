import { isIP } from "node:net";

export interface Rule {
  /** Completes "It must be". */
  rule: string;
  accepts: (value: string) => boolean;
}

export interface Variable extends Rule {
  /** None by default. */
  default?: string;
  description: string;
  secret?: boolean;
}

export const oneOf = (...words: string[]): Rule => ({
  rule: `one of ${words.join(", ")}`,
  accepts: (value) => words.includes(value),
});

export const either = (one: string, other: string): Rule => ({
  rule: `${one} or ${other}`,
  accepts: (value) => value === one || value === other,
});

export function whole(minimum: number, maximum: number, note = ""): Rule {
  return {
    rule: `a whole number from ${minimum} to ${maximum}${note}`,
    accepts: (value) => isWhole(value, minimum, maximum),
  };
}

export const isWhole = (value: string, minimum: number, maximum: number): boolean =>
  /^(0|[1-9]\d{0,9})$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;

export const isOrigin = (value: string): boolean =>
  /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;

export function isAddressOrRange(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || isWhole(bits, 0, family === 4 ? 32 : 128);
}

export function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
