import { InvalidArgumentError } from "commander";

/** Reads the number of `what`, as "an article". */
export function parseId(what: string): (text: string) => number {
  return (text) => {
    const id = Number(text);
    if (/^[1-9]\d{0,9}$/.test(text) && id <= 2_147_483_647) return id;
    throw new InvalidArgumentError(`It must be the number of ${what}`);
  };
}
