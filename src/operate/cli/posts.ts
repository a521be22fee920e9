import { InvalidArgumentError } from "commander";
import { operator } from "../../http/actor.ts";
import * as articles from "../../community/articles/articles.ts";
import * as removal from "../../community/articles/removal.ts";
import { idOf } from "../../community/comments/id-codes.ts";
import * as comments from "../../community/comments/comments.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as listings from "../../community/listings/listings.ts";
import { id } from "./arguments.ts";
import { command, group } from "./command.ts";

const article = { args: { "<id>": { text: "the number of the article", parse: id("an article") } } };

export const addArticle = group("article", "unpublish, delete and restore articles", [
  command({
    ...article,
    name: "unpublish",
    text: "unpublish an article, which its author can't publish again until it is restored",
    options: { "--reason <text>": "why, for its author" },
    json: ["id", "changed"],
    examples: 'inkstone article unpublish 17 --reason "Please name your sources."',
    run: async (db, article: { id: number; reason?: string }) => ({
      id: article.id,
      changed: await articles.unpublish(operator(db), article),
    }),
    print: ({ id, changed }) => `Article ${id} is unpublished${changed ? "" : " already"}.`,
  }),
  command({
    ...article,
    name: "delete",
    text: "delete an article, which can be restored for 30 days",
    json: ["id"],
    examples: "inkstone article delete 17",
    run: (db, { id }: { id: number }) => removal.remove(operator(db), id).then(() => ({ id })),
    print: ({ id }) => `Article ${id} is deleted.`,
  }),
  command({
    ...article,
    name: "restore",
    text: "restore an article, up to 30 days after it was deleted, or publish one that staff unpublished",
    json: ["id", "title", "path", "state"],
    examples: "inkstone article restore 17",
    run: (db, { id }: { id: number }) => removal.restore(operator(db), id),
    print: ({ id, state, path }) => `Article ${id} is ${state} again: ${path}`,
  }),
]);

const comment = {
  args: { "<id_code>": { text: "the comment's id_code", parse: parseCode } },
  json: ["id_code", "hidden", "changed"] as const,
};

export const addComment = group("comment", "delete and hide comments", [
  command({
    ...comment,
    name: "delete",
    text: "delete the text and author of a comment for good; its replies stay",
    json: ["id_code", "deleted", "changed"],
    examples: "inkstone comment delete m35m",
    run: async (db, { id_code }: { id_code: string }) => ({
      id_code,
      deleted: true,
      changed: await comments.remove(operator(db), await comments.find(db, id_code)),
    }),
    print: ({ id_code, changed }) => `Comment ${id_code} is deleted${changed ? "" : " already"}.`,
  }),
  command({
    ...comment,
    name: "hide",
    text: "hide the text and author of a comment",
    examples: "inkstone comment hide m35m",
    run: (db, { id_code }: { id_code: string }) => setHidden(db, id_code, true),
    print: ({ id_code, changed }) => `Comment ${id_code} is hidden${changed ? "" : " already"}.`,
  }),
  command({
    ...comment,
    name: "unhide",
    text: "show a hidden comment again",
    examples: "inkstone comment unhide m35m",
    run: (db, { id_code }: { id_code: string }) => setHidden(db, id_code, false),
    print: ({ id_code, changed }) =>
      changed ? `Comment ${id_code} is shown again.` : `Comment ${id_code} isn't hidden.`,
  }),
]);

async function setHidden(db: Db, id_code: string, hidden: boolean) {
  const id = await comments.find(db, id_code);
  return { id_code, hidden, changed: await comments.setHidden(operator(db), { id, hidden }) };
}

function parseCode(text: string): string {
  if (idOf(text) !== undefined) return text.toLowerCase();
  throw new InvalidArgumentError("It must be the id_code of a comment, such as m35m");
}

export const addListing = group("listing", "hide listings", [
  command({
    name: "unpublish",
    text: "hide a listing from everyone but its author, who may publish it again",
    args: { "<id>": { text: "the number of the listing", parse: id("a listing") } },
    json: ["id", "title", "changed"],
    examples: "inkstone listing unpublish 55",
    run: (db, { id }: { id: number }) => listings.unpublish(operator(db), id),
    print: ({ id, title, changed }) =>
      changed ? `Listing ${id} is hidden: ${title}` : `Listing ${id} isn't published.`,
  }),
]);
