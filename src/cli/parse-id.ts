import { InvalidArgumentError } from "commander";

/** How many lines of a list are wanted. */
export function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999");
}

/** Reads the number of `what`, as "an article"; those of most things end with the largest `int`. */
export function parseId(what: string, max = 2_147_483_647): (text: string) => number {
  return (text) => {
    const id = Number(text);
    if (/^[1-9]\d{0,9}$/.test(text) && id <= max) return id;
    throw new InvalidArgumentError(`It must be the number of ${what}`);
  };
}
