import type { Db } from "../../platform/db/connect.ts";
import type { Files } from "../../platform/files/files.ts";
import { removeFiles } from "../../platform/files/removal.ts";
import { ownFiles } from "../../content/images/profile-picture.ts";
import * as queries from "./queries.ts";

const FOLDER = "uploads";

/** Files precede their rows, and outlive them for a moment. */
const YOUNG_MS = 86_400_000;

type Unowned = Awaited<ReturnType<typeof unowned>>;

/** Files without a row and older than a day, which no text shows. */
export async function unowned(db: Db, files: Files, now: Date) {
  const limit = new Date(now.getTime() - YOUNG_MS);
  const old: string[] = [];
  for await (const { name, modifiedAt } of files.list(FOLDER)) if (modifiedAt < limit) old.push(name);
  const kept = await owned(db);
  const names = old.filter((name) => !kept.has(name));
  const shown = await named(db, names.map(withoutFolder));
  return {
    names: names.filter((name) => !shown.has(withoutFolder(name))),
    owned: old.length - names.length,
  };
}

async function named(db: Db, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>(await queries.namedInSettings(db, names));
  for (const table of queries.SHOWING) {
    for (let after: number | undefined = 0; after !== undefined && found.size < names.length;) {
      const wanted = names.filter((name) => !found.has(name));
      const page = await queries.namedAfter(db, { table, after }, wanted);
      for (const name of page.names) found.add(name);
      after = page.last;
    }
  }
  return found;
}

/** The files that rows name: uploads, own pictures in all sizes, and the logo. */
export async function owned(db: Db): Promise<Set<string>> {
  const names = [...(await queries.uploads(db)).map(({ name }) => name), ...(await queries.logo(db))];
  const uploads = names.map((name) => `${FOLDER}/${name}`);
  return new Set([...uploads, ...(await queries.pictures(db)).flatMap(ownFiles)]);
}

/** The share of known files says nothing while there are fewer. */
const FEW = 100;

/** Whether the files may belong to another database. */
export function isForeign({ names, owned }: Unowned): boolean {
  return names.length > FEW && names.length > owned;
}

export async function sweep(db: Db, files: Files, now: Date): Promise<number> {
  const found = await unowned(db, files, now);
  if (isForeign(found)) return 0;
  return removeFiles({ db, files }, found.names);
}

export async function missing(db: Db, files: Files): Promise<string[]> {
  const gone = await owned(db);
  for await (const { name } of files.list(FOLDER)) gone.delete(name);
  if (gone.size === 0) return [];
  // What was removed with its row meanwhile isn't missing.
  const still = await owned(db);
  return [...gone].filter((name) => still.has(name));
}

function withoutFolder(name: string): string {
  return name.slice(FOLDER.length + 1);
}
