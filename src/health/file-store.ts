import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import { reasonOf } from "../db/failures.ts";
import { contentOf, type Files } from "../files/files.ts";
import { openFiles, placeOf } from "../files/open.ts";
import { fail, type Outcome, ok, warn } from "./finding.ts";

type Settings = Pick<Config, "dataDir" | "s3">;

/** Tries the store of this command with a file of its own. `servers` may use others. */
export async function checkFileStore(own: Settings, servers: readonly Settings[]): Promise<Outcome> {
  const place = placeOf(own);
  const problem = own.s3 && (await tryOut(await openFiles(own)));
  if (problem !== undefined)
    return fail(`${problem}: start the store, correct the variables S3_…, or give the key its rights.`);
  const other = servers.map(placeOf).find((used) => used !== place);
  if (other !== undefined)
    return warn(
      `The server has its files in ${other}, but this command in ${place}: run it with the server's S3_… variables.`,
    );
  return ok(own.s3 ? `Files can be written, listed, read and removed in ${place}.` : `In ${place}.`);
}

async function tryOut(files: Files): Promise<string | undefined> {
  const name = `probes/${randomBytes(16).toString("hex")}.txt`;
  const bytes = Buffer.from(name);
  const isRead = async () => (await contentOf(files, name))?.equals(bytes) === true;
  const isListed = async () => {
    for await (const listed of files.list("probes")) if (listed.name === name) return true;
    return false;
  };
  try {
    await files.put(name, bytes);
    if (!(await isListed())) return "The file store doesn't list a file that was just written";
    if (!(await isRead())) return "The file store doesn't return a file that was just written";
    await files.remove(name);
    return (await isRead()) ? "The file store still returns a file that was just removed" : undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
