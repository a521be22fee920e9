import { importFile, type ImportOptions, type Summary } from "../community-file/import.ts";
import { importUploads } from "../../community/uploads/uploads.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { createConverter } from "../../community/feed-imports/converter.ts";
import type { Studio } from "../../content/images/profile-picture.ts";
import { uploadPath } from "../../platform/paths.ts";
import { addTally } from "../../community/records/record-type.ts";
import type { Detected } from "./detect.ts";
import { embedPictures, filesOf } from "./pictures.ts";
import { wordOf } from "./article-values.ts";
import type { CommunityRecord, Format, Found, LeftOut, Reader, ReadOptions, Waiting } from "./reader.ts";
import { failed } from "./reader.ts";
import { Records } from "./records.ts";

const READERS: Partial<Record<Format, () => Promise<Reader>>> = {
  inkstone: async () => (await import("./inkstone.ts")).inkstone,
  forem: async () => (await import("./forem.ts")).forem,
  ghost: async () => (await import("./ghost.ts")).ghost,
  wordpress: async () => (await import("./wordpress.ts")).wordpress,
};

export interface ImportWishes extends ImportOptions, ReadOptions {
  baseUrl: string;
  files?: string;
}

export interface Report extends Summary {
  left_out: LeftOut[];
  /** Sentences about many records, with their number. */
  remarks: { text: string; count: number }[];
  pictures: { made: number; kept: { url: string; reason: string }[] };
}

type Stores = Studio & { db: Db };

export async function importSources(stores: Stores, { format, sources }: Detected, wishes: ImportWishes) {
  const reader = await READERS[format]?.();
  if (reader !== undefined) return importForeign(stores, { reader, sources }, wishes);
  const summary = await importFile(stores.db, bytesOf(sources), wishes);
  return { ...summary, left_out: [], remarks: [], pictures: { made: 0, kept: [] } };
}

async function importForeign(
  { db, ...studio }: Stores,
  { reader, sources }: { reader: Reader; sources: Detected["sources"] },
  wishes: ImportWishes,
): Promise<Report> {
  const { author, now, isTrial } = wishes;
  const uploads = importUploads(db, studio);
  const pictures = embedPictures({
    fileOf: (url) => reader.fileOf(url, wishes),
    find: await filesOf([...new Set(sources.flatMap(({ zip }) => zip ?? []))], reader.folder, wishes.files),
    keep: async (picture) => wishes.baseUrl + uploadPath(isTrial ? picture.name : await uploads.add(picture)),
  });
  const converter = createConverter();
  const records = new Records({ db, converter, author, now });

  async function* lines(): AsyncGenerator<string> {
    for await (const made of ahead(inParts(reader.read(sources, wishes), records)))
      for (const record of made) {
        const name = wordOf(record["title"] ?? record["slug"]);
        try {
          // JSON can't be written that is nested more deeply than the stack.
          yield `${JSON.stringify(await pictures.embed(record))}\n`;
        } catch (error) {
          records.leftOut.push(failed({ type: record.type, name }, error));
        }
      }
  }

  try {
    const atEnd = async (tx: Db) => {
      if (!wishes.skipInvalid) refuseFailed(records.leftOut, wishes);
      await uploads.store(tx, now);
    };
    const summary = await importFile(db, lines(), { ...wishes, hasLines: false, atEnd });
    addUnchanged(summary, records.here, wishes);
    return {
      ...summary,
      left_out: records.leftOut,
      remarks: [...records.remarks].map(([text, count]) => ({ text, count })),
      pictures: { made: pictures.made, kept: [...pictures.kept].map(([url, reason]) => ({ url, reason })) },
    };
  } catch (error) {
    await uploads.discard();
    throw error;
  } finally {
    await converter.close();
  }
}

/** Names all at once, so that the file can be mended before the next try. */
function refuseFailed(leftOut: readonly LeftOut[], { only }: ImportWishes): void {
  const lines = leftOut
    .filter((one) => one.failed && (only === undefined || only.includes(one.type)))
    .map(({ type, name, reason }) => `\n${type} ${name}: ${reason}`);
  if (lines.length === 0) return;
  throw invalid(`Nothing is imported, because of these; --skip-invalid leaves them out:${lines.join("")}`);
}

/** Counts the articles of which no record was made. */
function addUnchanged(summary: Summary, count: number, { only }: ImportWishes): void {
  summary.records += count;
  if (only !== undefined && !only.includes("article")) summary.skipped += count;
  else if (count > 0) {
    const tally = { created: 0, updated: 0, unchanged: count };
    addTally(summary, tally);
    addTally((summary.types["article"] ??= { created: 0, updated: 0, unchanged: 0 }), tally);
  }
}

/** What is converted and looked up together. */
const MOST_THINGS = 1_000;
const MOST_CHARACTERS = 400_000;

async function* inParts(found: AsyncIterable<Found>, records: Records): AsyncGenerator<CommunityRecord[]> {
  let [things, size] = [[] as Waiting[], 0];
  for await (const one of found) {
    things.push(records.prepare(one));
    size += lengthOf(one);
    if (things.length < MOST_THINGS && size < MOST_CHARACTERS) continue;
    yield records.make(things);
    [things, size] = [[], 0];
  }
  yield records.make(things);
}

function lengthOf(found: Found): number {
  const { body } = "article" in found ? found.article : "comment" in found ? found.comment : {};
  return body === undefined ? 0 : "html" in body ? body.html.length : body.markdown.length;
}

async function* ahead<Part>(parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  const start = () => {
    const next = parts.next();
    next.catch(() => {});
    return next;
  };
  let next = start();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = start();
      yield value;
    }
  } finally {
    await parts.return(undefined).catch(() => {});
  }
}

async function* bytesOf(sources: Detected["sources"]): AsyncGenerator<Buffer> {
  for (const { open } of sources) yield* await open();
}
