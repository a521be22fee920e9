import { currentPath, retiredPath } from "../community/articles/retired-paths.ts";
import type { FormerPage } from "../http/errors.ts";
import type { Program } from "../http/operation.ts";
import * as settings from "../platform/settings/settings.ts";

/** Finds the page of an article by a former path, also one of another site. A private community has none. */
export function formerPages({ cache, db }: Pick<Program, "cache" | "db">): FormerPage {
  return async (path) => {
    const retired = retiredPath(path);
    if (retired === undefined) return undefined;
    try {
      const { visibility } = await settings.cached(cache, db);
      return visibility === "private" ? undefined : await currentPath(db.replica, retired);
    } catch {
      // The page is missing while the database is.
      return undefined;
    }
  };
}
