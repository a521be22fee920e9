import { readdirSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsForAll, everyCommand } from "../../../test/commands.ts";

const CREATING = ["serve", "import", "restore", "user create"];
/** They look at a server, at files or at themselves. */
const WITHOUT = ["ready", "openapi", "files copy"];

const site = commandsForAll();
const names = (await everyCommand()).filter((name) => ![...CREATING, ...WITHOUT].includes(name));

/** The first example of a command's help, as words. */
async function exampleOf(name: string): Promise<string[]> {
  const { out } = await site.inkstone([...name.split(" "), "--help"]);
  const line = /\nExamples?:\n {2}inkstone ([^<>|\n]+)/.exec(out)?.[1] ?? "";
  return [...line.trim().matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[0]);
}

const MISSING = "missing";

describe.each([MISSING, "empty"])("where the folder of DATA_DIR is %s", (folder) => {
  let DATA_DIR: string;
  beforeAll(async () => {
    DATA_DIR = join(site.folder, folder);
    if (folder !== MISSING) await mkdir(DATA_DIR);
  });

  test.each(names)("inkstone %s says that there is no database, and makes nothing", async (name) => {
    const before = readdirSync(site.folder, { recursive: true });
    const ran = await site.inkstone(await exampleOf(name), { env: { DATABASE_URL: "", DATA_DIR } });
    expect(ran.code).toBe(1);
    const sentence = `There is no database in ${DATA_DIR}: set DATA_DIR to the folder of the site, or start the server first.`;
    if (name === "doctor") expect(ran.out).toContain(`\nfail  database: ${sentence}\n`);
    else expect(ran).toMatchObject({ out: "", err: `inkstone: ${sentence}\n` });
    expect(readdirSync(site.folder, { recursive: true })).toEqual(before);
  });
});

const refusalIn = async (DATA_DIR: string) => {
  const { code, out, err } = await site.inkstone(["key", "list", "--user", "lena"], {
    env: { DATABASE_URL: "", DATA_DIR },
  });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  return err;
};

test("a DATA_DIR that is a file has no database", async () => {
  const file = join(site.folder, "file");
  await writeFile(file, "");
  expect(await refusalIn(file)).toContain(`There is no database in ${file}: `);
});

test("a link to a database that is gone is named", async () => {
  const folder = join(site.folder, "linked");
  await mkdir(folder);
  await symlink(join(site.folder, "gone", "postgres"), join(folder, "postgres"));
  expect(await refusalIn(folder)).toContain(`points into ${join(site.folder, "gone")}, which is gone: `);
  expect(readdirSync(folder)).toEqual(["postgres"]);
});
