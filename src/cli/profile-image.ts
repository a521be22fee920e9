import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { createFiles } from "../files/files.ts";
import { createImages, IMAGE_LIMITS } from "../images/images.ts";
import * as profilePicture from "../images/profile-picture.ts";
import { quote } from "../text/quote.ts";
import { fieldsOf } from "./arguments.ts";
import { type Add, command, type Declaration } from "./command.ts";

interface PictureOptions {
  profileImage: string | undefined;
  removeProfileImage: boolean | undefined;
}

const PICTURE_OPTIONS = {
  "--profile-image <file>": "a JPEG, PNG, GIF, WebP or AVIF picture of at most 10 MiB",
  "--remove-profile-image": { text: "restore the generated picture", conflicts: ["profileImage"] },
};

interface Edited<Change> extends Pick<Declaration, "text" | "options" | "examples"> {
  noun: "user" | "organization";
  description: string;
  find: (db: Db, username: string) => Promise<number>;
  edit: (
    db: Db,
    wanted: { id: number; change: Change; picture: string | null | undefined },
  ) => ReturnType<Store>;
}

/** Declares `edit` of a profile with its fields and its picture. */
export function editCommand<Change>({
  noun,
  description,
  options,
  find,
  edit,
  ...rest
}: Edited<Change>): Add {
  return command({
    ...rest,
    name: "edit",
    args: { [`<${noun}>`]: description },
    options: { ...options, ...PICTURE_OPTIONS },
    json: ["id", "username", "changed"],
    run: async (
      db,
      { profileImage, removeProfileImage, ...given }: PictureOptions & Record<string, string>,
    ) => {
      const { [noun]: username = "", ...fields } = given;
      const id = await find(db, username);
      const store: Store = (picture) => edit(db, { id, change: fieldsOf(fields) as Change, picture });
      const changed = await editWithPicture({ profileImage, removeProfileImage }, store);
      return { id, username: username.toLowerCase(), changed };
    },
    print: ({ username, changed }) =>
      changed ? `Changed ${username}.` : `${username} is already like that.`,
  });
}

/** The path of a new picture, null for none, undefined for the present one. */
type Store = (picture: string | null | undefined) => Promise<{ changed: boolean; replaced: string | null }>;

/** A refused edit leaves no file. */
async function editWithPicture(given: PictureOptions, store: Store): Promise<boolean> {
  const files = createFiles(join(readConfig().dataDir, "files"));
  if (given.profileImage === undefined) {
    const { changed, replaced } = await store(given.removeProfileImage ? null : undefined);
    await profilePicture.remove(files, replaced);
    return changed;
  }
  const bytes = await readPicture(given.profileImage);
  const images = createImages();
  try {
    await profilePicture.replace({ files, images }, bytes, store);
    return true;
  } finally {
    images.close();
  }
}

/** One byte more than allowed shows that the picture is too large. */
async function readPicture(file: string): Promise<Buffer> {
  if ((await stat(file)).isDirectory()) throw invalid(`${quote(file)} is a directory: name a picture in it`);
  return buffer(createReadStream(file, { end: IMAGE_LIMITS.bytes }));
}
