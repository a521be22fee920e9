import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import { invalid } from "../errors.ts";
import { createFiles } from "../files/files.ts";
import { createImages, IMAGE_LIMITS } from "../images/images.ts";
import * as profilePicture from "../images/profile-picture.ts";
import { quote } from "../text/quote.ts";

/** What is asked for a picture, by the options below. */
export interface PictureArguments {
  profileImage?: string;
  removeProfileImage?: boolean;
}

export function withPicture(command: Command): Command {
  return command
    .option("--profile-image <file>", "a JPEG, PNG, GIF, WebP or AVIF picture of at most 10 MiB")
    .addOption(
      new Option("--remove-profile-image", "go back to the picture that everybody has at first").conflicts(
        "profileImage",
      ),
    );
}

/** Stores the path of a new picture, null for none, or nothing of it; says what that changed. */
type Store = (picture: string | null | undefined) => Promise<{ changed: boolean; replaced: string | null }>;

/** Does an edit with its picture, and tells whether anything changed. Of what is refused nothing stays. */
export async function editWithPicture(given: PictureArguments, store: Store): Promise<boolean> {
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

/** No more of it than what shows that it is too large. */
async function readPicture(file: string): Promise<Buffer> {
  if ((await stat(file)).isDirectory()) throw invalid(`${quote(file)} is a directory: name a picture in it`);
  return buffer(createReadStream(file, { end: IMAGE_LIMITS.bytes }));
}
