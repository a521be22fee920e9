import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { reasonOf } from "../../platform/db/failures.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import { deepCheckOf } from "../../platform/fields/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import * as form from "./format.ts";
import { type Checksums, type Manifest, type TableOfBackup, tableName } from "./format.ts";

export interface Receiver {
  /** Gets the lines of a table's `COPY`, cut anywhere, and must read all of them. */
  table: (table: TableOfBackup, lines: AsyncIterable<Buffer>) => Promise<unknown>;
  file: (name: string, bytes: Buffer) => Promise<unknown>;
}

export interface Contents {
  tables: number;
  rows: number;
  files: number;
  bytes: number;
  missing: number;
}

type Entry = AsyncIterable<Buffer> & { header: Header };

export type OpenBackup = Awaited<ReturnType<typeof openBackup>>;

const checkManifest = deepCheckOf(form.Manifest);

/** Reads the first entry; the rest waits for `read`. `label` names the file. @throws AppError invalid */
export async function openBackup(source: Readable, label: string) {
  const entries = new Entries(source, label);
  const first = await entries.next();
  if (first?.header.name !== form.MANIFEST) throw entries.fault("is no backup of Inkstone");
  const json = await entries.json(first);
  const { format, program } = json as Partial<Manifest>;
  if (typeof format === "number" && format > form.FORMAT) throw unknownFormat(label, format, program);
  const fault = checkManifest(json);
  if (fault !== undefined) throw entries.fault(`is damaged: ${fault}`);
  const manifest = json as Manifest;
  return {
    label,
    manifest,
    read: (receiver: Receiver) => readRest(entries, manifest, receiver),
    source,
  };
}

const unknownFormat = (label: string, format: number, program: string | undefined) =>
  invalid(
    `${label} has the format ${format}, which this program doesn't know: install ${typeof program === "string" ? `Inkstone ${quote(program)}` : "a later version of Inkstone"}.`,
  );

async function readRest(entries: Entries, manifest: Manifest, receiver: Receiver): Promise<Contents> {
  const tables = new Map(manifest.tables.map((table) => [tableName(table), table]));
  const rows: Checksums["rows"] = {};
  const done = { files: 0, bytes: 0 };
  for (let entry = await entries.next(); ;) {
    if (entry === undefined) throw entries.fault("is no backup: its last entry is missing");
    const { name } = entry.header;
    const table = tables.get(form.readTableEntry(name)?.table ?? "");
    const file = form.readFileEntry(name);
    if (name === form.CHECKSUMS) {
      const { missing = 0 } = await compare(entries, entry, { rows, tables });
      return { tables: tables.size, rows: sum(Object.values(rows)), ...done, missing };
    } else if (table !== undefined && rows[tableName(table)] === undefined) {
      const lines = new Lines(entries, tableName(table), entry);
      await receiver.table(table, lines.read());
      rows[tableName(table)] = lines.count;
      entry = lines.next;
    } else if (file !== undefined && manifest.hasFiles) {
      const bytes = await entries.content(entry);
      await receiver.file(file, bytes);
      done.files += 1;
      done.bytes += bytes.length;
      entry = await entries.next();
    } else {
      throw entries.fault(`is damaged: the entry ${quote(name)} has no place in it`);
    }
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

interface Read {
  rows: Checksums["rows"];
  tables: ReadonlyMap<string, unknown>;
}

/** Compares what was read with the last entry, and returns that. */
async function compare(entries: Entries, last: Entry, { rows, tables }: Read): Promise<Partial<Checksums>> {
  const read = [...entries.sums];
  const expected = (await entries.json(last)) as Partial<Checksums>;
  for (const [index, { name, bytes, sha256 }] of read.entries()) {
    const wanted = expected.entries?.[index];
    if (name !== wanted?.name)
      throw entries.fault(`is damaged: ${quote(name)} is not the entry that stood there`);
    if (sha256 !== wanted.sha256 || bytes !== wanted.bytes)
      throw entries.fault(`is damaged: the checksum of ${name} is wrong`);
  }
  for (const table of tables.keys())
    if (rows[table] === undefined || rows[table] !== expected.rows?.[table])
      throw entries.fault(`is damaged: it lacks rows of ${table}`);
  if (expected.entries?.length !== read.length) throw entries.fault("is damaged: it lacks entries");
  if ((await entries.next()) !== undefined)
    throw entries.fault("is damaged: something follows its last entry");
  return expected;
}

class Lines {
  count = 0;
  next: Entry | undefined;
  readonly #entries: Entries;
  readonly #table: string;

  constructor(entries: Entries, table: string, first: Entry) {
    this.#entries = entries;
    this.#table = table;
    this.next = first;
  }

  async *read(): AsyncGenerator<Buffer> {
    for (let part = 1; this.next !== undefined; part += 1) {
      const { name } = this.next.header;
      const place = form.readTableEntry(name);
      if (place?.table !== this.#table) return;
      if (place.part !== part) throw this.#entries.fault(`is damaged: a part before ${name} is missing`);
      for await (const chunk of this.#entries.unpacked(this.next)) {
        this.count += countLines(chunk);
        yield chunk;
      }
      this.next = await this.#entries.next();
    }
  }
}

export async function skip(lines: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of lines);
}

const LINE_FEED = 10;

/** Each row ends with one, and `COPY` writes those of texts as two letters. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/** A tar that ends early says the first, its entry that is being read the other. */
const CUT = new Set(["Unexpected end of data", "Stream was destroyed"]);

/** The entries of a tar, one after the other, with the sums of those that are read. */
class Entries {
  readonly sums: Checksums["entries"] = [];
  readonly #label: string;
  readonly #entries: AsyncIterator<Entry>;
  #failure: Error | undefined;

  constructor(source: Readable, label: string) {
    const unpack = extract();
    source.on("error", (error) => unpack.destroy((this.#failure = error))).pipe(unpack);
    this.#label = label;
    this.#entries = unpack[Symbol.asyncIterator]() as AsyncIterator<Entry>;
  }

  fault(words: string): AppError {
    return invalid(`${this.#label} ${words}.`);
  }

  /** Each entry must be read to its end before the next one. */
  async next(): Promise<Entry | undefined> {
    try {
      const { value, done } = await this.#entries.next();
      return done === true ? undefined : value;
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  async *chunks(entry: Entry): AsyncGenerator<Buffer> {
    const { name } = entry.header;
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      for await (const chunk of entry) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw this.#faultOf(error);
    }
    this.sums.push({ name, bytes, sha256: hash.digest("hex") });
  }

  async *unpacked(entry: Entry): AsyncGenerator<Buffer> {
    const unzip = createGunzip();
    // The failure comes out of the stream below too.
    pipeline(this.chunks(entry), unzip).catch(() => undefined);
    try {
      for await (const chunk of unzip) yield chunk as Buffer;
    } catch (error) {
      throw this.#faultOf(error, `${entry.header.name}: `);
    }
  }

  content(entry: Entry): Promise<Buffer> {
    return buffer(this.chunks(entry));
  }

  async json(entry: Entry): Promise<object> {
    const text = String(await this.content(entry));
    try {
      return Object(JSON.parse(text)) as object;
    } catch {
      throw this.fault(`is damaged: ${entry.header.name} is no JSON`);
    }
  }

  #faultOf(thrown: unknown, place = ""): unknown {
    const error = this.#failure ?? thrown;
    if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
    const reason = reasonOf(error);
    return this.fault(CUT.has(reason) ? "ends in the middle: it was cut" : `is damaged (${place}${reason})`);
  }
}
