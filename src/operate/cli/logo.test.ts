import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pngOf } from "../../../test/pictures.ts";
import { commandsForAll } from "../../../test/commands.ts";
import { createFiles } from "../../platform/files/files.ts";
import { missing, sweep } from "../../community/uploads/files.ts";

const site = commandsForAll();
const { inkstone } = site;
beforeAll(async () => {
  await writeFile(join(site.folder, "logo.png"), pngOf(64, 64));
  await writeFile(join(site.folder, "page.html"), "<!doctype html>");
});

const files = () => createFiles(join(site.folder, "data", "files"));
const logo = async () =>
  JSON.parse((await inkstone(["settings", "get", "logo_url", "--json"])).out) as string;

describe("the logo", () => {
  test("is uploaded from a file, and stays while the setting names it", async () => {
    const { code, out } = await inkstone(["settings", "set", "logo", "logo.png"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^logo_url is now "\/uploads\/[0-9a-f]{32}\.png"\.\n$/);
    const name = (await logo()).slice(1);
    const later = new Date(Date.now() + 2 * 86_400_000);
    expect(await sweep(site.database.db, files(), later)).toBe(0);
    const file = await files().get(name);
    file?.stream.destroy();
    expect(file).toBeDefined();
    expect((await inkstone(["settings", "set", "logo_url", `/${name}`])).code).toBe(0);
    await inkstone(["settings", "set", "logo_url", ""]);
    expect(await sweep(site.database.db, files(), later)).toBe(1);
  });

  test("isn't removed while the setting names it, and is missed when its file is lost", async () => {
    await inkstone(["settings", "set", "logo", "logo.png"]);
    const name = (await logo()).slice("/uploads/".length);
    expect(await inkstone(["upload", "remove", name])).toMatchObject({
      code: 1,
      err: `inkstone: logo_url shows the image ${name}: change that setting first.\n`,
    });
    expect(await missing(site.database.db, files())).toEqual([]);
    await files().remove(`uploads/${name}`);
    expect(await missing(site.database.db, files())).toEqual([`uploads/${name}`]);
    await inkstone(["settings", "set", "logo_url", ""]);
    expect(await missing(site.database.db, files())).toEqual([]);
  });

  test.each([
    [["logo", "nowhere.png"], "nowhere.png can't be used: there is no such file."],
    [["logo", "page.html"], "image"],
    [["logo_url", "/uploads/logo.png"], 'logo_url "/uploads/logo.png" leads to no file: upload one with'],
    [["logo_url", "/logo.png"], 'logo_url "/logo.png" leads to no file'],
  ])("is refused, and nothing changes: %j", async (args, sentence) => {
    const before = await logo();
    const { code, err } = await inkstone(["settings", "set", ...args]);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect(await logo()).toBe(before);
  });
});
