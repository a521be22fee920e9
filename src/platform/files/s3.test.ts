import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startElsewhere } from "../../../test/net.ts";
import { freePort } from "../../../test/waiting.ts";
import { type S3Store, startS3Store } from "../../../test/s3-store.ts";
import { isPassing } from "../db/failures.ts";
import { createS3Files } from "./s3.ts";

const NAME = "uploads/abc.png";
const BYTES = randomBytes(200_000);

let store: S3Store;
let failures: number;
beforeEach(async () => {
  store = await startS3Store();
  failures = 0;
});
afterEach(() => store.stop());

type Settings = S3Store["settings"];

const filesWith = (settings: Partial<Settings> = {}, answerMs?: number) =>
  createS3Files(
    { ...store.settings, ...settings },
    { place: "the bucket", onFailure: () => void failures++, ...(answerMs !== undefined && { answerMs }) },
  );

/** What each verb fails with, all alike. */
async function failureOf(files = filesWith()): Promise<Error> {
  const list = async () => {
    for await (const _ of files.list()) throw new Error("There is one");
  };
  const all = [files.put(NAME, BYTES), files.get(NAME), list(), files.remove(NAME)];
  const ended = await Promise.allSettled(all);
  const reasons = ended.map((each) => (each.status === "rejected" ? (each.reason as Error) : undefined));
  for (const reason of reasons) {
    expect(reason).toMatchObject({
      message: expect.stringMatching(/^The file store can't be used, the bucket: ./),
    });
    expect(isPassing(reason)).toBe(true);
    expect(String(reason)).not.toContain(store.settings.secretAccessKey);
    expect(String(reason)).not.toContain(store.settings.accessKeyId);
  }
  expect(failures).toBe(all.length);
  return reasons[0] as Error;
}

describe("a request", () => {
  test.each<[string, Partial<Settings>]>([
    ["another secret", { secretAccessKey: "of-nobody" }],
    ["another key", { accessKeyId: "of-nobody" }],
    ["another region", { region: "elsewhere" }],
  ])("that is signed with %s is refused by the store, and fails", async (_, settings) => {
    const { message } = await failureOf(filesWith(settings));
    expect(message).toContain("403");
    expect(store.objects.size).toBe(0);
  });

  test("is sent again when the store fails or breaks off, twice at most", async () => {
    const files = filesWith();
    const rounds = ["503", "break"];
    store.fault = (_request, response) => {
      const fault = rounds.shift();
      if (fault === "break") response.destroy();
      else if (fault !== undefined) response.writeHead(Number(fault)).end();
      return fault !== undefined;
    };
    await files.put(NAME, BYTES);
    expect(store.asked).toEqual(Array(3).fill(`PUT ${NAME}`));
    rounds.push("break", "500");
    const read = await buffer((await files.get(NAME))?.stream as never);
    expect(read.equals(BYTES)).toBe(true);
    expect(failures).toBe(0);
    rounds.push("503", "503", "503", "503");
    await expect(files.remove(NAME)).rejects.toThrow("503");
    expect(failures).toBe(1);
    expect(rounds).toEqual(["503"]);
  });

  test("is not sent again when the store refuses it", async () => {
    store.fault = (_request, response) => (response.writeHead(400).end(), true);
    await expect(filesWith().put(NAME, BYTES)).rejects.toThrow("400");
    expect(store.asked).toHaveLength(1);
  });

  test("follows no redirect", async () => {
    const elsewhere = await startElsewhere((_request, response) => void response.end("other"));
    try {
      store.fault = (_request, response) => (
        response.writeHead(307, { location: `${elsewhere.url}/pictures/${NAME}` }).end(),
        true
      );
      expect((await failureOf()).message).toContain("307");
      expect(elsewhere.asked).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });

  test("fails when the store doesn't respond in time", async () => {
    store.fault = () => true;
    expect((await failureOf(filesWith({}, 300))).message).toContain("It didn't respond within 0.3 seconds");
  });

  test("fails when nothing listens", async () => {
    const endpoint = `127.0.0.1:${await freePort()}`;
    const { message } = await failureOf(filesWith({ endpoint: `http://${endpoint}` }));
    expect(message).toContain(`ECONNREFUSED ${endpoint}`);
  });

  test("fails for a bucket that there isn't, as no file of it was removed", async () => {
    const { message } = await failureOf(filesWith({ bucket: "another" }));
    expect(message).toContain("404 – NoSuchBucket");
  });
});

test("a file that breaks off or falls silent fails with the store", async () => {
  const files = filesWith({}, 1_000);
  for (const end of [(response: { destroy: () => void }) => response.destroy(), () => {}]) {
    store.fault = (_request, response) => {
      response.writeHead(200, { "content-length": BYTES.length });
      response.write(BYTES.subarray(0, 100_000), () => end(response));
      return true;
    };
    const file = await files.get(NAME);
    const failure = await buffer(file?.stream as never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(/^The file store can't be used/) });
    expect(isPassing(failure)).toBe(true);
  }
  expect(failures).toBe(2);
});

test("a file of unknown length can't be sent, and fails", async () => {
  store.fault = (_request, response) => {
    response.writeHead(200);
    response.write("a", () => response.end("b"));
    return true;
  };
  await expect(filesWith().get(NAME)).rejects.toThrow("A response has no Content-Length");
});

test("objects of other programs are not listed", async () => {
  for (const name of [NAME, "uploads/Other", "readme.txt", "incoming/abc.png", "a/b/c.png"])
    store.objects.set(name, { bytes: BYTES, modifiedAt: new Date() });
  const names: string[] = [];
  for await (const { name } of filesWith().list()) names.push(name);
  expect(names).toEqual([NAME]);
});
