import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";

const CHUNK_BYTES = 64 * 1024;

type Read = (error: Error | null, bytesRead?: number) => void;

/** Reads a file at any place. That of `yauzl` ends the process at a place that no file has. */
export class FileAccess extends RandomAccessReader {
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
