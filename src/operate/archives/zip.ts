import { type FileHandle, open as openHandle } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import * as yauzl from "yauzl";
import { AppError } from "../../platform/errors.ts";
import { quote } from "../../platform/text/quote.ts";

const CHUNK_BYTES = 64 * 1024;

type Read = (error: Error | null, bytesRead?: number) => void;

/** Reads a file at any place. That of `yauzl` ends the process at a place that no file has. */
class FileAccess extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: Read): void {
    // Fewer bytes than were asked for are the end of the file.
    if (!(position >= 0 && position <= this.#size)) return void setImmediate(done, null, 0);
    this.#file
      .read(buffer, offset, length, position)
      .then(({ bytesRead }) => setImmediate(done, null, bytesRead))
      .catch((error: Error) => setImmediate(done, error));
  }

  override createReadStream({ start, end }: { start: number; end: number }): Readable {
    // A stream of Node would close the file when it is destroyed.
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const length = Math.min(CHUNK_BYTES, end - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override close(done: (error: Error | null) => void): void {
    this.#file
      .close()
      .then(() => setImmediate(done, null))
      .catch((error: Error) => setImmediate(done, error));
  }
}

const MAX_ENTRIES = 100_000;
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;
/** Texts shrink to a tenth, and a bomb to a thousandth. */
const MAX_RATIO = 100;
/** The ratio of small files says nothing: an empty table shrinks to a thousandth too. */
const SMALL_BYTES = 1024 ** 2;

/** A zip archive that can't be read, or that no honest program writes. The sentence names the file and the entry. */
export class ArchiveProblem extends AppError {
  constructor(sentence: string, cause?: unknown) {
    super("invalid", sentence, { cause });
    this.name = "ArchiveProblem";
  }
}

export interface ZipEntry {
  /** A relative path with slashes, such as `content/images/tomato.png`. */
  name: string;
  bytes: number;
}

/** An archive of a stranger, whose entries are read one by one and never written to a folder. */
export interface Zip {
  path: string;
  /** The files by name, in the order of the archive; folders are left out. */
  entries: ReadonlyMap<string, ZipEntry>;
  read(entry: ZipEntry): Promise<Readable>;
  bytes(entry: ZipEntry, most: number): Promise<Buffer>;
  close(): void;
}

/** Checks names and declared sizes; contents are checked as they are read. @throws ArchiveProblem */
export async function openZip(path: string): Promise<Zip> {
  const file = await openFile(path);
  try {
    const entries = await readEntries(path, file);
    const read = async ({ name }: ZipEntry) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new ArchiveProblem(`${path} has no entry ${quote(name)}.`);
      return open(path, file, entry);
    };
    return {
      path,
      entries,
      read,
      bytes: async (entry, most) => {
        if (entry.bytes <= most) return buffer(await read(entry));
        const name = quote(entry.name);
        throw new ArchiveProblem(
          `${path} has ${name} with ${entry.bytes} bytes, and at most ${most} are read of it.`,
        );
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

interface Packed extends ZipEntry {
  entry: yauzl.Entry;
}

async function openFile(path: string): Promise<yauzl.ZipFile> {
  const handle = await openHandle(path);
  try {
    const { size } = await handle.stat();
    const access = new FileAccess(handle, size);
    return await yauzl.fromRandomAccessReaderPromise(access, size, {
      autoClose: false,
      decodeStrings: false,
    });
  } catch (error) {
    await handle.close();
    throw problem(path, error);
  }
}

async function readEntries(path: string, file: yauzl.ZipFile): Promise<Map<string, Packed>> {
  if (file.entryCount > MAX_ENTRIES)
    throw new ArchiveProblem(`${path} has ${file.entryCount} entries, and at most ${MAX_ENTRIES} are read.`);
  const entries = new Map<string, Packed>();
  let unpacked = 0;
  try {
    for await (const entry of file.eachEntry()) {
      const name = nameOf(path, entry);
      const fault = entries.has(name) ? "is in it twice" : faultOf(name, entry);
      if (fault !== undefined)
        throw new ArchiveProblem(`${path} can't be read: its entry ${quote(name)} ${fault}.`);
      unpacked += entry.uncompressedSize;
      if (unpacked > MAX_UNPACKED_BYTES)
        throw new ArchiveProblem(`${path} has more than 2 GB of unpacked files.`);
      if (!name.endsWith("/")) entries.set(name, { name, bytes: entry.uncompressedSize, entry });
    }
  } catch (error) {
    throw problem(path, error);
  }
  return entries;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function nameOf(path: string, { fileNameRaw }: yauzl.Entry): string {
  try {
    return UTF8.decode(fileNameRaw);
  } catch {
    const name = quote(fileNameRaw.toString("latin1"));
    throw new ArchiveProblem(`${path} can't be read: the name of its entry ${name} isn't UTF-8.`);
  }
}

const TYPE_OF_FILE = 0o170000;
const REGULAR = [0, 0o100000, 0o040000];

function faultOf(name: string, entry: yauzl.Entry): string | undefined {
  if (name === "" || name.includes("\0")) return "has an empty name or one with a zero byte";
  if (name.includes("\\")) return "has a backslash in its name";
  if (/^(\/|[A-Za-z]:)/.test(name)) return "has an absolute name";
  if (name.split("/").includes("..")) return "leaves the archive by its name";
  if (!REGULAR.includes((entry.externalFileAttributes >>> 16) & TYPE_OF_FILE)) return "is a link or a device";
  if (entry.isEncrypted()) return "is encrypted: make the archive again without a password";
  if (!entry.canDecodeFileData()) return "is packed by another method than deflate";
  const { compressedSize, uncompressedSize: bytes } = entry;
  const isBomb = bytes > SMALL_BYTES && bytes > MAX_RATIO * compressedSize;
  return isBomb ? `unpacks to more than ${MAX_RATIO} times its size` : undefined;
}

async function open(path: string, file: yauzl.ZipFile, { name, entry }: Packed): Promise<Readable> {
  try {
    // Ends with an error at the first byte beyond the declared size.
    const packed = await file.openReadStreamPromise(entry);
    const checked = checkSum(path, { name, entry });
    packed.on("error", (error) => checked.destroy(problem(path, error, name)));
    checked.on("close", () => packed.destroy());
    return packed.pipe(checked);
  } catch (error) {
    throw problem(path, error, name);
  }
}

function checkSum(path: string, { name, entry }: Pick<Packed, "name" | "entry">): Transform {
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      if (sum === entry.crc32) done();
      else
        done(
          new ArchiveProblem(`${path} is damaged: the checksum of its entry ${quote(name)} is another one.`),
        );
    },
  });
}

/** Errors of the file system stay as they are. */
function problem(path: string, error: unknown, name?: string): Error {
  const { message } = error as Error;
  if (error instanceof ArchiveProblem || "syscall" in (error as Error)) return error as Error;
  const place = name === undefined ? "as a zip archive" : `at its entry ${quote(name)}`;
  const reason = message.replace(/\.$/, "");
  return new ArchiveProblem(`${path} can't be read ${place}: ${reason}.`, error);
}
