import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { readConfig } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { openFiles } from "../../platform/files/open.ts";
import { createImages, IMAGE_LIMITS } from "../../content/images/images.ts";
import * as profilePicture from "../../content/images/profile-picture.ts";
import { quote } from "../../platform/text/quote.ts";
import { fieldsOf } from "./arguments.ts";
import { type Add, command, type Declaration } from "./command.ts";

const PICTURE_OPTIONS = {
  "--profile-image <file>": "a JPEG, PNG, GIF, WebP or AVIF image of at most 10 MiB",
  "--remove-profile-image": { text: "restore the generated image", conflicts: ["profileImage"] },
};

interface PictureOptions {
  profileImage?: string;
  removeProfileImage?: boolean;
}

/** The path of a new picture, null for none, undefined for the present one. */
type Picture = string | null | undefined;

interface Edited<Change> extends Pick<Declaration, "text" | "options" | "examples"> {
  noun: "user" | "organization";
  description: string;
  find: (db: Db, username: string) => Promise<number>;
  edit: (
    db: Db,
    wanted: { id: number; change: Change; picture: Picture },
  ) => Promise<{ changed: boolean; replaced: string | null }>;
}

/** Declares `edit` of a profile with its fields and its picture. A refused edit leaves no file. */
export function editCommand<Change>(edited: Edited<Change>): Add {
  const { noun, description, options, find, edit, ...rest } = edited;
  return command({
    ...rest,
    name: "edit",
    args: { [`<${noun}>`]: description },
    options: { ...options, ...PICTURE_OPTIONS },
    json: ["id", "username", "changed"],
    run: async (db, options: PictureOptions & Record<string, unknown>) => {
      const { profileImage, removeProfileImage, [noun]: name, ...fields } = options;
      const username = String(name).toLowerCase();
      const id = await find(db, username);
      const store = (picture: Picture) => edit(db, { id, change: fieldsOf(fields) as Change, picture });
      const files = await openFiles(readConfig());
      if (profileImage === undefined) {
        const { changed, replaced } = await store(removeProfileImage ? null : undefined);
        await profilePicture.remove({ db, files }, replaced);
        return { id, username, changed };
      }
      const bytes = await readPicture(profileImage);
      const images = createImages();
      await profilePicture.replace({ db, files, images }, bytes, store).finally(() => images.close());
      return { id, username, changed: true };
    },
    print: ({ username, changed }) =>
      changed ? `Changed ${username}.` : `${username} is already like that.`,
  });
}

/** One byte more than allowed shows that the picture is too large. */
export async function readPicture(file: string): Promise<Buffer> {
  if ((await stat(file)).isDirectory()) throw invalid(`${quote(file)} is a directory: name an image in it`);
  return buffer(createReadStream(file, { end: IMAGE_LIMITS.bytes }));
}
