import { readConfig } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { hasAdmin } from "../../community/users/first-run.ts";
import * as links from "../../community/users/one-time-links.ts";
import { command } from "./command.ts";

export const addSetUpLink = command({
  name: "setup-link",
  text: `print the link by which a site without an admin is set up, once, for ${links.LINK_MINUTES} minutes`,
  json: ["url", "expires_in_seconds"],
  examples: "inkstone setup-link",
  run: async (db) => {
    if (await hasAdmin(db))
      throw invalid("This site has an admin, who signs in: see `inkstone user list --role admin`.");
    const url = readConfig().baseUrl + (await links.createPath(db, null, new Date()));
    return { url, expires_in_seconds: links.LINK_MINUTES * 60 };
  },
  print: ({ url }) => url,
});
