import { originOf } from "../articles/origins.ts";
import { importFile, type ImportOptions, type Summary } from "../community-file/import.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../errors.ts";
import { createConverter } from "../feed-imports/converter.ts";
import type { Studio } from "../images/profile-picture.ts";
import { uploadPath } from "../paths.ts";
import { quote } from "../text/quote.ts";
import { importUploads } from "../uploads/imported.ts";
import type { Detected } from "./detect.ts";
import { findPeople } from "./people.ts";
import { embedPictures, filesOf } from "./pictures.ts";
import type { CommunityRecord, Format, Found, Reader, ReadOptions } from "./reader.ts";

const READERS: Partial<Record<Format, () => Promise<Reader>>> = {
  inkstone: async () => (await import("./inkstone.ts")).inkstone,
  forem: async () => (await import("./forem.ts")).forem,
  ghost: async () => (await import("./ghost.ts")).ghost,
  wordpress: async () => (await import("./wordpress.ts")).wordpress,
};

/** JSON can't be written that is nested more deeply than the stack. */
function lineOf(record: CommunityRecord): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (cause) {
    throw new AppError("invalid", `A record of the type ${quote(record.type)} is nested too deeply.`, {
      cause,
    });
  }
}

export interface ImportWishes
  extends ImportOptions, Pick<ReadOptions, "author" | "site">, Partial<Pick<ReadOptions, "comments">> {
  /** The address of this site. */
  baseUrl: string;
  /** The folder of the pictures. */
  files?: string;
}

export interface Report extends Summary {
  /** What became no record. */
  left_out: Extract<Found, { leftOut: unknown }>["leftOut"][];
  /** Sentences about many records, with their number. */
  remarks: { text: string; count: number }[];
  pictures: { made: number; kept: { url: string; reason: string }[] };
}

type Stores = Studio & { db: Db };

/** Imports files of any format, all or nothing. */
export async function importSources(
  stores: Stores,
  { format, sources }: Detected,
  wishes: ImportWishes,
): Promise<Report> {
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
  const left_out: Report["left_out"] = [];
  const remarks = new Map<string, number>();
  const uploads = importUploads(db, studio);
  const pictures = embedPictures({
    fileOf: (url) => reader.fileOf(url, wishes),
    find: await filesOf([...new Set(sources.flatMap(({ zip }) => zip ?? []))], reader.folder, wishes.files),
    keep: async (picture) =>
      wishes.baseUrl + uploadPath(wishes.isTrial ? picture.name : await uploads.add(picture)),
  });
  const converter = createConverter();
  const options = { ...wishes, ...createLookUps(db, wishes), converter };

  async function* lines(): AsyncGenerator<string> {
    for await (const found of reader.records(sources, options)) {
      if ("record" in found) yield lineOf(await pictures.embed(found.record));
      else if ("leftOut" in found) left_out.push(found.leftOut);
      else remarks.set(found.remark, (remarks.get(found.remark) ?? 0) + 1);
    }
  }

  try {
    const atEnd = (tx: Db) => uploads.store(tx, wishes.now);
    const summary = await importFile(db, lines(), { ...wishes, hasLines: false, atEnd });
    return {
      ...summary,
      left_out,
      remarks: [...remarks].map(([text, count]) => ({ text, count })),
      pictures: { made: pictures.made, kept: [...pictures.kept].map(([url, reason]) => ({ url, reason })) },
    };
  } catch (error) {
    await uploads.discard();
    throw error;
  } finally {
    await converter.close();
  }
}

function createLookUps(db: Db, { author, comments = false }: ImportWishes) {
  return { comments, people: findPeople(db, author), originOf: (slug: string) => originOf(db, slug) };
}

async function* bytesOf(sources: Detected["sources"]): AsyncGenerator<Buffer> {
  for (const { open } of sources) {
    for await (const chunk of await open()) yield chunk as Buffer;
  }
}
