// oxlint-disable promise/no-callback-in-promise, promise/no-promise-in-callback -- a Writable is told by callbacks.
import { Writable } from "node:stream";
import type { Config } from "../config.ts";
import { openBucket } from "./s3.ts";

/** A store takes 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Writes an object of unknown size in parts. It is there when the sink has finished; after a failure nothing is left.
 * @param place where the bucket is, for messages
 */
export function createUpload(config: NonNullable<Config["s3"]>, place: string, name: string): Writable {
  const { store, failure } = openBucket(config, { place });
  const sent: { partNumber: number; etag: string }[] = [];
  let chunks: Buffer[] = [];
  let size = 0;
  let id: string | undefined;
  let running = Promise.resolve();

  async function send(): Promise<void> {
    const part = Buffer.concat(chunks);
    [chunks, size] = [[], 0];
    id ??= await store.getMultipartUploadId(name);
    sent.push(await store.uploadPart(name, id, part, sent.length + 1));
  }
  /** A store that refuses to complete an upload says so in a response that looks like success. */
  async function complete(): Promise<void> {
    await send();
    const { etag } = await store.completeMultipartUpload(name, String(id), sent);
    if (!etag) throw new Error("It didn't put the parts together");
    id = undefined;
  }
  async function abort(): Promise<void> {
    // A part that is on its way would come after the end of its upload.
    await running;
    if (id !== undefined) await store.abortMultipartUpload(name, id);
  }
  function settle(work: Promise<void>, done: (error?: Error | null) => void): void {
    running = work.then(
      () => done(),
      (error: unknown) => done(failure(error)),
    );
  }

  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      size += chunk.length;
      if (size < PART_BYTES) done();
      else settle(send(), done);
    },
    final: (done) => settle(complete(), done),
    destroy(error, done) {
      void abort().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}
