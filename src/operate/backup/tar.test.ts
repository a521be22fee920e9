import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createArchive } from "./tar.ts";

test("a sink that fails in the middle of an entry fails the archive with its reason, and nothing else", async () => {
  let fail = () => {};
  const sink = new Writable({
    write: (_chunk, _encoding, done) => void (fail = () => done(new Error("write EPIPE"))),
  });
  const { signal } = new AbortController();
  const archive = createArchive(sink, { now: new Date(), signal });
  const addAll = async () => {
    for (let number = 0; ; number++) await archive.add(`entry ${number}`, Buffer.alloc(100_000));
  };
  const added = addAll();
  await new Promise((resolve) => setTimeout(resolve, 10));
  fail();
  // An error that nobody handles would end the process, and fails this file.
  await expect(added).rejects.toThrow("write EPIPE");
  await archive.giveUp();
});
