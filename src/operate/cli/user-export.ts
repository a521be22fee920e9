import { noteExport } from "../../community/moderation/access.ts";
import { operator } from "../../http/actor.ts";
import { readConfig } from "../../platform/config.ts";
import { refuseExisting, writeNewFile } from "../../platform/files/new-file.ts";
import { openFiles } from "../../platform/files/open.ts";
import { count } from "../../platform/text/sentences.ts";
import { userNamed } from "./arguments.ts";
import { AS_THE_SERVER, command } from "./command.ts";

export const exportUser = command({
  name: "export",
  text: "write all that the site has of a person to a zip archive, which another community can import",
  args: { "<user>": "the username", "<file>": "a new file" },
  options: { "--force": "overwrite the file if it exists" },
  json: ["articles", "pictures"],
  examples: "inkstone user export lena lena.zip",
  note: AS_THE_SERVER,
  run: async (db, { user, file, force }: { user: string; file: string; force?: boolean }) => {
    const { writeArchive } = await import("../own-data/own-data.ts");
    await refuseExisting(file, { force });
    const config = readConfig();
    const id = await userNamed(db, user);
    const site = { db, files: await openFiles(config), baseUrl: config.baseUrl };
    await noteExport(operator(db), id);
    return writeNewFile(file, { force }, (sink) => writeArchive(site, id, sink));
  },
  print: ({ articles, pictures }, { file }) =>
    `Wrote ${count(articles, "article")} and ${count(pictures, "picture")} to ${file}.`,
});
