import { InvalidArgumentError } from "commander";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { quote } from "../../platform/text/quote.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";
import * as users from "../../community/users/users.ts";

export function id(noun: string, max = 2_147_483_647): (text: string) => number {
  return (text) => {
    const id = Number(text);
    if (/^[1-9]\d{0,9}$/.test(text) && id <= max) return id;
    throw new InvalidArgumentError(`It must be the number of ${noun}`);
  };
}

export function limit(standard: number) {
  return { "--limit <number>": { text: "print at most this many", parse: parseLimit, default: standard } };
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999");
}

export function siteAddress(text: string): string {
  if (isHttpUrl(text) && !/[?#]/.test(text)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be an address such as https://blog.example");
}

export async function userNamed(db: Db, username: string): Promise<number> {
  const id = (await users.idsByUsername(db, [username])).get(username.toLowerCase());
  if (id === undefined) throw invalid(`There is no user ${quote(username)}.`);
  return id;
}
