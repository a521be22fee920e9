import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { type Actor, operator } from "../src/actor.ts";
import { createFiles } from "../src/files/files.ts";
import { createImages } from "../src/images/images.ts";
import * as uploads from "../src/uploads/uploads.ts";
import * as users from "../src/users/users.ts";
import { commandsWith } from "./own-commands.ts";
import { databaseForAll } from "./own-database.ts";
import { urlOf } from "./program.ts";

export type SiteName = "here" | "there";

export const ADDRESS = { here: "https://here.example", there: "https://there.example" };

/** Two sites with databases and files of their own, and a folder for files between them. */
export function twoSites() {
  const databases = { here: databaseForAll(), there: databaseForAll() };
  const images = createImages();
  const run = commandsWith(() => ({}));
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-two-"));
  });
  afterAll(async () => {
    images.close();
    await rm(folder, { recursive: true, force: true });
  });
  async function storedFiles(site: SiteName): Promise<string[]> {
    const root = join(folder, site, "files");
    const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return found
      .filter((one) => one.isFile())
      .map(({ name }) => name)
      .toSorted();
  }

  const filesIn = (site: SiteName) => createFiles(join(folder, site, "files"));

  return {
    storedFiles,
    /** All that an import could leave behind here. */
    async counts() {
      const { db } = databases.here;
      const count = async (table: "users" | "articles" | "uploads") =>
        (
          await db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll().as("count"))
            .execute()
        )[0];
      return [
        await count("users"),
        await count("articles"),
        await count("uploads"),
        await storedFiles("here"),
      ];
    },
    db: (site: SiteName) => databases[site].db,
    at: (name: string) => join(folder, name),
    files: filesIn,
    /** Runs a command of a site. */
    inkstone(site: SiteName, ...args: string[]) {
      vi.stubEnv("DATABASE_URL", urlOf(databases[site].name));
      vi.stubEnv("DATA_DIR", join(folder, site));
      vi.stubEnv("BASE_URL", ADDRESS[site]);
      return run(...args);
    },
    /** Uploads a picture of a user, and returns its name. */
    async upload(site: SiteName, username: string, picture: Buffer): Promise<string> {
      const { db } = databases[site];
      const id = (await users.idsByUsername(db, [username])).get(username) ?? 0;
      const actor: Actor<uploads.Upload> = { ...operator(db), user: { id, role: "member" } };
      return (await uploads.create(actor, picture, { files: filesIn(site), images })).name;
    },
  };
}
