import { type Config, readConfig } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { hasAdmin } from "../../community/users/first-run.ts";
import * as links from "../../community/users/one-time-links.ts";
import { command } from "./command.ts";
import { readFile } from "node:fs/promises";
import type { Db } from "../../platform/db/connect.ts";
import { failureCode } from "../../platform/db/failures.ts";
import * as settings from "../../platform/settings/settings.ts";
import { quote } from "../../platform/text/quote.ts";
import { createWithPassword } from "../../community/users/creating.ts";

export const addSetUpLink = command({
  name: "setup-link",
  text: `print the link by which a site without an admin is set up, once, for ${links.LINK_MINUTES} minutes`,
  json: ["url", "expires_in_seconds"],
  examples: "inkstone setup-link",
  run: async (db) => {
    if (await hasAdmin(db))
      throw invalid(
        "This site has an admin, who signs in: `inkstone user sign-in-link NAME` makes a link for one.",
      );
    const url = readConfig().baseUrl + (await links.createPath(db, null, new Date()));
    return { url, expires_in_seconds: links.LINK_MINUTES * 60 };
  },
  print: ({ url }) => url,
});

/** Makes the first admin that the environment names, or returns the path of the page that makes one. */
export async function prepareFirstAdmin(db: Db, { admin }: Config): Promise<string | undefined> {
  if (await hasAdmin(db)) return undefined;
  if (admin === undefined) return links.createPath(db, null, new Date());
  const { username, email, isContact, passwordFile } = admin;
  const password = await readPasswordFile(passwordFile);
  const wanted = { username, name: username, role: "admin" as const, password, ...(email && { email }) };
  await createWithPassword(db, wanted).catch(async (error: Error) => {
    // Another server may have made it at the same time.
    if (await hasAdmin(db)) return;
    throw invalid(`The admin of ADMIN_USERNAME can't be made: ${error.message}.`);
  });
  if (isContact && email) await settings.set(db, "contact_email", email);
  return undefined;
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } catch (error) {
    throw invalid(`ADMIN_PASSWORD_FILE names ${quote(file)}, which can't be read (${failureCode(error)}).`);
  }
}
