import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { pngOf } from "../../../test/pictures.ts";
import { createFiles } from "../../platform/files/files.ts";

const database = databaseForAll();
const BASE_URL = "https://ink.example";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-upload-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const inkstone = commandsWith(() => ({
  DATABASE_URL: urlOf(database.name),
  DATA_DIR: folder,
  BASE_URL,
}));

const name = (letter: string) => `${letter.repeat(32)}.png`;
const fileOf = async (image: string) => {
  const file = await createFiles(join(folder, "files")).get(`uploads/${image}`);
  file?.stream.destroy();
  return file;
};

async function uploaded(image: string, upload: { user_id: number; created_at: Date }): Promise<void> {
  await createFiles(join(folder, "files")).put(`uploads/${image}`, pngOf(2, 2));
  await database.db
    .insertInto("uploads")
    .values({ name: image, bytes: 75, ...upload })
    .execute();
}

describe("inkstone upload", () => {
  test("lists a person's images and removes one with its file", async () => {
    const made = await inkstone("user", "create", "--username", "lena", "--name", "Lena", "--json");
    const { id } = JSON.parse(made.out) as { id: number };
    expect(await inkstone("upload", "list", "--user", "lena")).toMatchObject({
      out: "lena has uploaded no images.\n",
    });
    await uploaded(name("a"), { user_id: id, created_at: new Date("2026-03-01T08:00:00Z") });
    await uploaded(name("b"), { user_id: id, created_at: new Date("2026-03-02T08:00:00Z") });
    const listed = await inkstone("upload", "list", "--user", "Lena", "--json");
    expect(JSON.parse(listed.out)).toEqual([
      {
        name: name("b"),
        bytes: 75,
        created_at: "2026-03-02T08:00:00Z",
        url: `${BASE_URL}/uploads/${name("b")}`,
      },
      expect.objectContaining({ name: name("a") }),
    ]);
    const removed = await inkstone("upload", "remove", `${BASE_URL}/uploads/${name("b")}`, "--json");
    expect(JSON.parse(removed.out)).toEqual({ name: name("b"), user_id: id });
    expect(await fileOf(name("b"))).toBeUndefined();
    expect(await fileOf(name("a"))).toBeDefined();
    const left = await inkstone("upload", "list", "--user", "lena");
    expect(left.out).toBe(`2026-03-01 08:00:00 UTC  75 bytes  ${BASE_URL}/uploads/${name("a")}\n`);
    const events = await database.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "image_removed")
      .execute();
    expect(events).toEqual([{ payload: { user_id: id, name: name("b") } }]);
  });

  test("removes the file of an unowned image", async () => {
    await createFiles(join(folder, "files")).put(`uploads/${name("c")}`, pngOf(2, 2));
    expect(await inkstone("upload", "remove", name("c"))).toEqual({
      code: 0,
      out: `Removed ${name("c")}.\n`,
      err: "",
    });
    expect(await fileOf(name("c"))).toBeUndefined();
  });

  test.each([name("d"), "a.png", "../a.png", ""])("says that there is no image %j", async (image) => {
    const { code, err: told } = await inkstone("upload", "remove", image);
    expect([code, told]).toEqual([
      1,
      expect.stringMatching(/^inkstone: There is no image ".*": its name is/),
    ]);
  });

  test("says that there is no user of a name", async () => {
    const { code, err: told } = await inkstone("upload", "list", "--user", "nobody");
    expect([code, told]).toEqual([1, 'inkstone: There is no user "nobody".\n']);
  });
});
