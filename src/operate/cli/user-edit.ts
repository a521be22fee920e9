import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { readConfig } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { openFiles } from "../../platform/files/open.ts";
import { createImages, IMAGE_LIMITS } from "../../content/images/images.ts";
import * as profilePicture from "../../content/images/profile-picture.ts";
import { quote } from "../../platform/text/quote.ts";
import * as users from "../../community/users/users.ts";
import { operator } from "../../http/actor.ts";
import { userNamed } from "./arguments.ts";
import { command } from "./command.ts";

const PICTURE_OPTIONS = {
  "--profile-image <file>": "a JPEG, PNG, GIF, WebP or AVIF image of at most 10 MiB",
  "--remove-profile-image": { text: "restore the generated image", conflicts: ["profileImage"] },
};

interface Options {
  user: string;
  profileImage?: string;
  removeProfileImage?: boolean;
}

/** The path of a new picture, null for none, undefined for the present one. */
type Picture = string | null | undefined;

/** A refused edit leaves no file. */
export const editUser = command({
  name: "edit",
  text: "change a profile; an empty text removes a field",
  args: { "<user>": "the username" },
  options: {
    "--name <name>": "the name that is shown",
    "--email <address>": "an e-mail address that no other account has",
    "--summary <text>": "a summary",
    "--location <text>": "the location",
    "--website-url <address>": "the website",
    "--microblog-username <name>": "the name on a microblog",
    "--codehost-username <name>": "the name on a code host",
    ...PICTURE_OPTIONS,
  },
  json: ["id", "username", "changed"],
  examples: "inkstone user edit lena --profile-image portrait.jpg",
  run: async (db, { user, profileImage, removeProfileImage, ...fields }: Options) => {
    const username = user.toLowerCase();
    const id = await userNamed(db, username);
    const change = fieldsOf(fields) as users.Profile;
    const store = (picture: Picture) => users.edit(operator(db), { id, change, picture });
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
  print: ({ username, changed }) => (changed ? `Changed ${username}.` : `${username} is already like that.`),
});

/** Gives options the names of fields, which have underscores. */
function fieldsOf(options: object): unknown {
  const fields = Object.entries(options).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(fields);
}

/** One byte more than allowed shows that the picture is too large. */
export async function readPicture(file: string): Promise<Buffer> {
  if ((await stat(file)).isDirectory()) throw invalid(`${quote(file)} is a directory: name an image in it`);
  return buffer(createReadStream(file, { end: IMAGE_LIMITS.bytes }));
}
