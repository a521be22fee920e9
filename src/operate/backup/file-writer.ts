import { invalid } from "../../platform/errors.ts";
import { contentOf, type Files } from "../../platform/files/files.ts";

/** Each waits for its disk or store. */
const AT_ONCE = 8;

export class FileWriter {
  readonly #files: Files;
  readonly #written: string[] = [];
  readonly #running = new Set<Promise<void>>();
  #present: Promise<Set<string>> | undefined;
  #failure: unknown;

  constructor(files: Files) {
    this.#files = files;
  }

  /** Begins to write a file, as soon as few others are being written. */
  async write(name: string, bytes: Buffer): Promise<void> {
    const work: Promise<void> = this.#put(name, bytes)
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async undo(): Promise<void> {
    await Promise.all(this.#running);
    for (const name of this.#written) await this.#files.remove(name);
  }

  async #put(name: string, bytes: Buffer): Promise<void> {
    this.#present ??= this.#list();
    if ((await this.#present).has(name)) {
      if ((await contentOf(this.#files, name))?.equals(bytes)) return;
      throw invalid(
        `The file store has another ${name} already: restore into an empty one, by another DATA_DIR or bucket.`,
      );
    }
    this.#written.push(name);
    await this.#files.put(name, bytes);
  }

  async #list(): Promise<Set<string>> {
    const names = new Set<string>();
    for await (const { name } of this.#files.list()) names.add(name);
    return names;
  }
}
