import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { createFiles } from "../files/files.ts";
import { createImages, IMAGE_LIMITS } from "../images/images.ts";
import * as profilePicture from "../images/profile-picture.ts";
import { quote } from "../text/quote.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

/** What is asked for a picture, by the options below. */
export interface PictureArguments {
  profileImage?: string;
  removeProfileImage?: boolean;
}

/** Who is edited, by their name, and how. */
interface Edit<Given> {
  find: (db: Db, username: string) => Promise<number>;
  edit: (
    db: Db,
    wanted: { id: number; given: Given; picture: string | null | undefined },
  ) => ReturnType<Store>;
}

/** Gives a command that edits somebody's profile its options for the picture, and its work. */
export function edits<Given extends PictureArguments & JsonOption>(
  command: Command,
  { find, edit }: Edit<Given>,
): Command {
  return withPicture(command)
    .option("--json", 'print {"id", "username", "changed"}')
    .action(async (asked: string, given: Given) => {
      const { json = false } = given;
      const edited = await withDatabase({ json }, async ({ db }) => {
        const id = await find(db, asked);
        const changed = await editWithPicture(given, (picture) => edit(db, { id, given, picture }));
        return { id, username: asked.toLowerCase(), changed };
      });
      printResult({ json }, edited, () =>
        edited.changed ? `Changed ${edited.username}.` : `${edited.username} is already like that.`,
      );
    });
}

function withPicture(command: Command): Command {
  return command
    .option("--profile-image <file>", "a JPEG, PNG, GIF, WebP or AVIF picture of at most 10 MiB")
    .addOption(
      new Option("--remove-profile-image", "restore the generated picture").conflicts("profileImage"),
    );
}

/** Stores the path of a new picture, null for none, or nothing of it; says what that changed. */
type Store = (picture: string | null | undefined) => Promise<{ changed: boolean; replaced: string | null }>;

/** Does an edit with its picture, and tells whether anything changed. Of what is refused nothing stays. */
async function editWithPicture(given: PictureArguments, store: Store): Promise<boolean> {
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
