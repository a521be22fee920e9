import { join } from "node:path";
import type { Config } from "../../platform/config.ts";
import type { Connection } from "../../platform/db/connect.ts";
import { writeBackup } from "./backup.ts";
import { openFolder } from "./places.ts";

const KEPT = 2;
const NAME = /^before-.+\.tar$/;

/**
 * Saves the database as it is before a migration, and returns the path. A migration changes no files, so none are
 * saved. Older backups of this kind are removed, but the last one.
 */
export async function saveBefore(
  migration: string,
  { connection, config, signal }: { connection: Connection; config: Config; signal: AbortSignal },
): Promise<string> {
  const folder = join(config.dataDir, "backups");
  const place = openFolder(folder);
  const name = `before-${migration.replace(/\.sql$/, "")}.tar`;
  const { baseUrl } = config;
  const of = { ...connection, files: undefined, baseUrl, parallel: 2, now: new Date(), signal };
  await place.write(name, (sink) => writeBackup(of, sink));
  // Migrations are numbered.
  const others = (await place.list())
    .map((file) => file.name)
    .filter((other) => NAME.test(other) && other !== name)
    .toSorted();
  for (const other of others.slice(0, others.length - KEPT + 1)) await place.remove(other);
  return join(folder, name);
}
