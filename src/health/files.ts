import { relative } from "node:path";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { pathOf } from "../files/files.ts";
import { openFiles, placeOf } from "../files/open.ts";
import { count } from "../text/sentences.ts";
import * as uploads from "../uploads/files.ts";
import { fail, type Outcome, ok, warn } from "./finding.ts";

const NAMED = 10;

export async function checkFiles(db: Db, config: Pick<Config, "dataDir" | "s3">): Promise<Outcome> {
  const place = placeOf(config);
  const files = await openFiles(config);
  const missing = await uploads.missing(db, files);
  if (missing.length > 0) {
    const what = `${count(missing.length, "file")} of images ${missing.length === 1 ? "is" : "are"} not in ${place}`;
    const shown = config.s3 ? missing : missing.map((each) => relative(place, pathOf(place, each)));
    return fail(`${what} (${name(shown)}): restore them from a backup.`);
  }
  const unowned = await uploads.unowned(db, files, new Date());
  if (unowned.names.length === 0) return ok("Every image has its file.");
  const what = `${count(unowned.names.length, "file")} in ${place} that nothing uses`;
  const remedy = uploads.isForeign(unowned)
    ? `too many to belong to this database, so they stay: correct ${config.s3 ? "S3_BUCKET" : "DATA_DIR"} or DATABASE_URL, or remove them by hand.`
    : "a server removes them at night.";
  return warn(
    `There ${unowned.names.length === 1 ? "is" : "are"} ${what} (${name(unowned.names)}): ${remedy}`,
  );
}

function name(names: string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
