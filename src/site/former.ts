import { currentPath, retiredPath } from "../articles/retired-paths.ts";
import type { FormerPage } from "../http/errors.ts";
import type { Program } from "../http/operation.ts";
import * as settings from "../settings/settings.ts";

/** Where articles are that were found elsewhere, also on another site. In a private community there are none. */
export function formerPages({ cache, db }: Pick<Program, "cache" | "db">): FormerPage {
  return async (path) => {
    const retired = retiredPath(path);
    if (retired === undefined) return undefined;
    try {
      const { visibility } = await settings.cached(cache, db);
      return visibility === "private" ? undefined : await currentPath(db.replica, retired);
    } catch {
      // Without the database the page is missing.
      return undefined;
    }
  };
}
