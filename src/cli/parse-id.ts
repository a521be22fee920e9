import { InvalidArgumentError } from "commander";

/** Reads the number of `what`, as "an article"; those of most things end with the largest `int`. */
export function parseId(what: string, max = 2_147_483_647): (text: string) => number {
  return (text) => {
    const id = Number(text);
    if (/^[1-9]\d{0,9}$/.test(text) && id <= max) return id;
    throw new InvalidArgumentError(`It must be the number of ${what}`);
  };
}
