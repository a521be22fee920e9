import { type Static, Type } from "typebox";
import * as articles from "../articles/rendering.ts";
import * as comments from "../comments/references.ts";
import { invalid } from "../../platform/errors.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import type { ImportState } from "../records/record-type.ts";
import { Moment, OptionalText, Text } from "../records/schema.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";
import { CATEGORIES, countAll, type CountChanges, lockAll, noChanges, noteChange } from "./reactions.ts";

const STATUSES = ["valid", "invalid", "confirmed", "archived"] as const;

export const ReactionRecord = Type.Object({
  user: Text,
  article: OptionalText,
  comment: OptionalText,
  category: Type.Enum([...CATEGORIES]),
  created_at: Moment,
  status: Type.Optional(Type.Enum([...STATUSES], { default: "valid" })),
});
export type ReactionRecord = Static<typeof ReactionRecord>;

export const reactionRecords = recordType({
  type: "reaction",
  schema: ReactionRecord,
  keyOf: ({ user, article, comment, category }) => `${user.toLowerCase()} ${category} ${article ?? comment}`,
  table: "reactions",
  check: refuseContradictions,
  references: {
    user: { ...users.byUsername, noun: "one" },
    article: articles.bySlug,
    comment: comments.byName,
  },
  key: ({ fields, ids }) => ({
    user_id: ids.user,
    article_id: ids.article ?? null,
    comment_id: ids.comment ?? null,
    category: fields.category,
  }),
  find: (tx, keys) => queries.findAmong(tx, keys as queries.Identity[]),
  columns: ({ fields }) => givenOf(fields, { created_at: fromIso, status: String }),
  defaults: (now) => ({ created_at: now }),
  skipsConflicts: true,
  after: (_tx, { created }, context) => {
    const changes = context.state(NEW_REACTIONS);
    for (const row of created) noteChange(changes, row as queries.Identity, 1);
  },
  read: byId(queries.pageOfRecords),
});

/** Written last, so that writers of reactions don't wait for the whole import. */
const NEW_REACTIONS: ImportState<CountChanges> = {
  initial: noChanges,
  atEnd: async (tx, changes, now) => {
    await lockAll(tx, changes);
    await countAll(tx, changes, now);
  },
};

function refuseContradictions({ article, comment, category, status }: ReactionRecord): void {
  if ((article === undefined) === (comment === undefined)) {
    throw invalid("it must name either an article or a comment");
  }
  if (category === "readinglist" && comment !== undefined) {
    throw invalid('a comment can\'t stand on a reading list: give another category than "readinglist"');
  }
  if (category !== "readinglist" && status !== undefined && status !== "valid") {
    throw invalid('only a reaction of the category "readinglist" has a status');
  }
}
