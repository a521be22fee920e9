import * as remotePictures from "../../community/remote-pictures/remote-pictures.ts";
import { count } from "../../platform/text/sentences.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";

const ABOUT = "images of users, organizations and podcasts that are fetched from other sites";

export const addImage = group("image", ABOUT, [
  list({
    name: "list",
    text: "print the images that couldn't be fetched yet, and why",
    json: ["kind", "username", "url", "failure", "due_at"],
    examples: "inkstone image list",
    run: (db) => remotePictures.missing(db),
    line: ({ username, url, failure, due_at }) => {
      const next = due_at === null ? "given up" : `next at ${formatTime(due_at)}`;
      return `${username}  ${url}  ${next}${failure === null ? "" : `: ${failure}`}`;
    },
    empty: () => "There are no images left to fetch.",
  }),
  command({
    name: "refresh",
    text: "make the running server fetch missing images now, including those given up",
    json: ["due"],
    examples: "inkstone image refresh",
    run: async (db) => ({ due: await remotePictures.tryAgain(db, new Date()) }),
    print: ({ due }) => `${count(due, "image")} will be fetched by the running server.`,
  }),
]);
