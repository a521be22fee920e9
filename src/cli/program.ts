import { Command } from "commander";
import { VERSION } from "../config.ts";
import { addArticle } from "./article.ts";
import { addComment } from "./comment.ts";
import { addDemo } from "./demo.ts";
import { addDoctor } from "./doctor.ts";
import { addExport } from "./export.ts";
import { addFeed } from "./feed.ts";
import { addImport } from "./import.ts";
import { addKey } from "./key.ts";
import { addListing } from "./listing.ts";
import { addMigrate } from "./migrate.ts";
import { addNotification } from "./notification.ts";
import { addOpenapi } from "./openapi.ts";
import { addOrganization } from "./organization.ts";
import { addPodcast } from "./podcast.ts";
import { addServe } from "./serve.ts";
import { addSettings } from "./settings.ts";
import { addPicture } from "./picture.ts";
import { addTag } from "./tag.ts";
import { addUpload } from "./upload.ts";
import { addUser } from "./user.ts";
import { addWebhook } from "./webhook.ts";

/** Every command: the table of contents. What only some of them need they load themselves, when they run. */
export function createProgram(): Command {
  const program = new Command("inkstone")
    .description("A self-hosted publishing community with a fast article search API.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "show help for a command, with an example")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 refused or failed, 2 wrong usage. Settings come from the environment or .env.",
    )
    .showSuggestionAfterError(true)
    // Errors are told in one place and one form.
    .configureOutput({ outputError: () => {} })
    .exitOverride();

  addServe(program);
  addMigrate(program);
  addImport(program);
  addExport(program);
  addUser(program);
  addOrganization(program);
  addKey(program);
  addNotification(program);
  addArticle(program);
  addComment(program);
  addListing(program);
  addPodcast(program);
  addFeed(program);
  addPicture(program);
  addTag(program);
  addUpload(program);
  addWebhook(program);
  addSettings(program);
  addDemo(program);
  addDoctor(program);
  addOpenapi(program);
  return program;
}
