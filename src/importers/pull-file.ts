import { createReadStream } from "node:fs";
import { hash } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { readLines } from "../community-file/lines.ts";
import { invalid } from "../errors.ts";
import { wordOf } from "./article-values.ts";
import type { CommunityRecord } from "./reader.ts";

/** The file has names and texts of people, and maybe drafts. */
const OWNER_ONLY = 0o600;

/**
 * A community file that grows over several runs, beside its name until it is whole. An article is added with all that
 * belongs to it, people first, so that after a kill all but the last article is whole.
 * @param source tells pulls apart: another one begins its own file
 */
export async function openPullFile(file: string, source: unknown) {
  if (await lstat(file).catch(() => undefined)) throw invalid(`${file} exists already: name another file.`);
  const part = `${file}.${hash("sha256", JSON.stringify(source)).slice(0, 8)}.part`;
  const handle = await open(part, "a", OWNER_ONLY);
  const done = new Set<string>();
  await handle.truncate(await readWhole(part, done));
  return {
    has: (thing: string) => done.has(thing),
    /** The number of things of a kind. */
    count: (kind: string) => [...done].filter((thing) => thing.startsWith(`${kind} `)).length,
    async append(records: readonly CommunityRecord[]): Promise<void> {
      await handle.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      for (const thing of records.flatMap(thingsOf)) done.add(thing);
    },
    async finish(): Promise<void> {
      await handle.sync();
      await rename(part, file);
    },
    remove: () => rm(part),
    close: () => handle.close(),
  };
}

export type PullFile = Awaited<ReturnType<typeof openPullFile>>;

/** Notes all things before the last article, and returns their length. */
async function readWhole(part: string, done: Set<string>): Promise<number> {
  let [at, whole] = [0, 0];
  let last: string[] = [];
  for await (const line of readLines(createReadStream(part))) {
    if ("fault" in line) break;
    const record = recordIn(line.bytes);
    if (!record) break;
    if (record.type === "article") {
      for (const thing of last) done.add(thing);
      [whole, last] = [at, []];
    }
    last.push(...thingsOf(record));
    at += line.bytes.length + 1;
  }
  return whole;
}

function recordIn(line: Buffer): CommunityRecord | undefined {
  try {
    return JSON.parse(line.toString()) as CommunityRecord;
  } catch {
    return undefined;
  }
}

/** Whatever need not be asked for again. A person in a comment has no date, and none of their profile. */
function thingsOf({ type, ...record }: CommunityRecord): string[] {
  const name = wordOf(record["slug"] ?? record["username"] ?? record["id_code"] ?? record["name"]);
  const tags = type === "article" ? (record["tags"] as string[]) : [];
  const profile = type === "user" && record["created_at"] ? [`profile ${name}`] : [];
  return [`${type} ${name}`, ...tags.map((tag) => `used ${tag}`), ...profile];
}
