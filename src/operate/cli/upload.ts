import { readConfig } from "../../platform/config.ts";
import { openFiles } from "../../platform/files/open.ts";
import { count } from "../../platform/text/sentences.ts";
import * as uploads from "../../community/uploads/uploads.ts";
import { uploadPath } from "../../platform/paths.ts";
import { userNamed } from "./arguments.ts";
import { AS_THE_SERVER, command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";

export const addUpload = group("upload", "list and remove uploaded images", [
  list({
    name: "list",
    text: "print a user's images, newest first",
    options: { "--user <username>": { text: "the owner of the images", required: true } },
    json: ["name", "bytes", "created_at", "url"],
    examples: "inkstone upload list --user lena",
    run: async (db, { user }: { user: string }) => {
      const { baseUrl } = readConfig();
      const listed = await uploads.list(db, await userNamed(db, user));
      return listed.map((one) => ({ ...one, url: baseUrl + uploadPath(one.name) }));
    },
    line: ({ created_at, bytes, url }) => `${formatTime(created_at)}  ${count(bytes, "byte")}  ${url}`,
    empty: ({ user }) => `${user} has uploaded no images.`,
  }),
  command({
    name: "remove",
    text: "remove an image for good; articles that show it show nothing in its place",
    args: { "<image>": "its name or address, as `upload list` prints them" },
    json: ["name", "user_id"],
    examples: "inkstone upload remove 3f2a9c0d5e7b41688a1c2d3e4f506172.jpg",
    note: AS_THE_SERVER,
    run: async (db, { image }: { image: string }) => {
      const files = await openFiles(readConfig());
      return uploads.remove({ db, files }, image.slice(image.lastIndexOf("/") + 1));
    },
    print: ({ name, isFileLeft }) =>
      isFileLeft
        ? `Removed ${name}, but not its file: a backup is running. The server removes it at night.`
        : `Removed ${name}.`,
  }),
]);
