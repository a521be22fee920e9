import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Entries, patched, withHeaders, zipOf } from "../../../test/community-file.ts";
import { ArchiveProblem, openZip } from "./zip.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "zips-"));
});
afterAll(() => rm(folder, { recursive: true }));

let serial = 0;
async function file(bytes: Buffer): Promise<string> {
  const path = join(folder, `${++serial}.zip`);
  await writeFile(path, bytes);
  return path;
}

/** The sentence with which an archive is refused, when it is opened or its entries are read. */
async function refusal(bytes: Buffer): Promise<string> {
  const path = await file(bytes);
  try {
    const zip = await openZip(path);
    try {
      for (const entry of zip.entries.values()) await zip.bytes(entry, 100_000_000);
    } finally {
      zip.close();
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveProblem);
    const { message } = error as Error;
    expect(message).toContain(path);
    return message.replace(path, "x.zip");
  }
  return "";
}

const archive = (entries: Entries = { "aa/note.txt": "a note" }) => zipOf(entries);

describe("an archive", () => {
  test("has its files by name, without its folders, and their contents", async () => {
    const zip = await openZip(await file(await archive({ "läden/a.txt": "Ladenöffnung", "b.txt": "" })));
    expect([...zip.entries.values()]).toMatchObject([
      { name: "läden/a.txt", bytes: 13 },
      { name: "b.txt", bytes: 0 },
    ]);
    const [first, second] = [...zip.entries.values()];
    expect(await text(await zip.read(first as never))).toBe("Ladenöffnung");
    expect((await zip.bytes(second as never, 10)).length).toBe(0);
    await expect(zip.bytes(first as never, 12)).rejects.toThrow(
      '"läden/a.txt" with 13 bytes, and at most 12',
    );
    await expect(zip.read({ name: "c.txt", bytes: 1 })).rejects.toThrow('has no entry "c.txt"');
    zip.close();
  });

  test("may be empty", async () => {
    const zip = await openZip(await file(await zipOf({})));
    expect(zip.entries.size).toBe(0);
    zip.close();
  });

  test.each([
    ["../note.txt", "leaves the archive by its name"],
    ["aa/../../.t", "leaves the archive by its name"],
    ["/a/note.txt", "has an absolute name"],
    ["C:/note.txt", "has an absolute name"],
    ["aa\\note.txt", "has a backslash in its name"],
    ["aa/no\0e.txt", "has an empty name or one with a zero byte"],
  ])("is refused for the name %j", async (name, fault) => {
    const bytes = patched(await archive(), "aa/note.txt", name);
    expect(await refusal(bytes)).toBe(`x.zip can't be read: its entry ${JSON.stringify(name)} ${fault}.`);
  });

  test("is refused for a name that isn't UTF-8, and for two equal ones", async () => {
    const latin = patched(await archive(), "note", Buffer.from("n\xf6te", "latin1"));
    expect(await refusal(latin)).toContain("isn't UTF-8");
    const twice = patched(await archive({ "a.txt": "1", "b.txt": "2" }), "b.txt", "a.txt");
    expect(await refusal(twice)).toContain('its entry "a.txt" is in it twice');
  });

  test("is refused for links, devices, passwords and other packings", async () => {
    const link = await archive({ "to-passwd": { content: "/etc/passwd", mode: 0o120777 } });
    expect(await refusal(link)).toContain('its entry "to-passwd" is a link or a device');
    const device = await archive({ tty: { content: "", mode: 0o020666 } });
    expect(await refusal(device)).toContain("is a link or a device");
    const encrypted = withHeaders(await archive(), (header) => header.writeUInt16LE(0x801, 8));
    expect(await refusal(encrypted)).toContain('its entry "aa/note.txt" is encrypted');
    const other = withHeaders(await archive(), (header) => header.writeUInt16LE(12, 10));
    expect(await refusal(other)).toContain("is packed by another method than deflate");
  });

  test("is refused as a bomb by what it says", async () => {
    const bomb = await archive({ "bomb.txt": Buffer.alloc(4_000_000) });
    expect(await refusal(bomb)).toContain('its entry "bomb.txt" unpacks to more than 100 times its size');
    const many = Object.fromEntries([1, 2, 3].map((n) => [`${n}.bin`, "x"]));
    const huge = withHeaders(await zipOf(many), (header) => {
      header.writeUInt32LE(800_000_000, 20);
      header.writeUInt32LE(800_000_000, 24);
    });
    expect(await refusal(huge)).toBe("x.zip has more than 2 GB of unpacked files.");
    const crowded = withHeaders(await archive(), () => {});
    // The number of entries at the end of the file, as the long form has it.
    expect(await refusal(withCount(crowded, 100_001))).toBe(
      "x.zip has 100001 entries, and at most 100000 are read.",
    );
  });

  test("is refused as soon as it has more than it says", async () => {
    const bomb = await archive({ "bomb.txt": Buffer.alloc(50_000_000) });
    const lying = withHeaders(bomb, (header) => header.writeUInt32LE(1_000, 24));
    expect(await refusal(lying)).toContain('can\'t be read at its entry "bomb.txt": too many bytes');
  });

  test("is refused when it is damaged, cut or no archive", async () => {
    const whole = await archive({ "note.txt": { content: "a note", compress: false } });
    expect(await refusal(patched(whole, "a note", "a joke"))).toContain("is damaged: the checksum");
    expect(await refusal(whole.subarray(0, whole.length / 2))).toContain(
      "x.zip can't be read as a zip archive",
    );
    expect(await refusal(Buffer.from("no zip"))).toContain("can't be read as a zip archive");
  });

  test("that is not there is an error of the file system", async () => {
    await expect(openZip(join(folder, "none.zip"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

/** Adds the end of the long form, which has larger numbers. */
function withCount(bytes: Buffer, count: number): Buffer {
  const end = bytes.length - 22;
  const long = Buffer.alloc(56 + 20);
  long.writeUInt32LE(0x06064b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48);
  long.writeUInt32LE(0x07064b50, 56);
  long.writeBigUInt64LE(BigInt(end), 64);
  return Buffer.concat([bytes.subarray(0, end), long, bytes.subarray(end)]);
}
