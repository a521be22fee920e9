import * as articles from "../articles/references.ts";
import * as comments from "../comments/references.ts";
import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { differs } from "../records/columns.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import { type CountChanges, countAll, holdAll, noChanges, noteChange } from "./counts.ts";
import * as queries from "./queries.ts";
import { ReactionRecord } from "./record-schema.ts";

/** Reactions of the community file, marks on reading lists among them. */
export const reactionRecords: RecordType<ReactionRecord> = {
  type: "reaction",
  schema: ReactionRecord,
  keyOf: ({ user, article, comment, category }) => `${user.toLowerCase()} ${category} ${article ?? comment}`,
  write,
  read,
};

/**
 * What an import has added so far. An import is one transaction, so whoever reacts to what it holds
 * waits for all of it: it is held and counted at the end. The database decides what is new all the
 * same, and who says just what the file has them say waits for the file, but keeps nobody waiting.
 */
const pending = new WeakMap<ImportContext, CountChanges>();

async function write(tx: Db, batch: Entry<ReactionRecord>[], context: ImportContext): Promise<Tally> {
  const rows = toRows(batch, await lookUp(tx, batch, context), context);
  const present = await queries.findExisting(tx, rows);
  const known = new Map(present.map((row) => [keyOf(row), row]));
  const fresh = new Map<string, Row>();
  const changed: { id: number; row: Row }[] = [];
  for (const row of rows) {
    const existing = known.get(keyOf(row));
    if (!existing) fresh.set(keyOf(row), row);
    else if (differs(existing, row.given)) changed.push({ id: existing.id, row });
  }
  const created = await queries.insertAll(
    tx,
    [...fresh.values()].map(({ given, ...row }) => ({ created_at: context.now, ...row, ...given })),
  );
  for (const { id, row } of changed) await queries.update(tx, id, row.given);
  // Only now: a batch that fails before is undone, and what it counted must not stay.
  for (const row of created) noteChange(pendingOf(context), row, 1);
  return {
    created: created.length,
    updated: changed.length,
    unchanged: rows.length - created.length - changed.length,
  };
}

/** A record on its way into the database. */
interface Row extends queries.Identity {
  /** What the record says beside what it is. */
  given: Partial<Pick<queries.ReactionRow, "created_at" | "status">>;
}

const keyOf = ({ user_id, article_id, comment_id, category }: queries.Identity): string =>
  [user_id, article_id, comment_id, category].join(" ");

/** Numbers of what the records of a batch name. */
interface Known {
  users: Map<string, number>;
  articles: Map<string, number>;
  comments: Map<string, number>;
}

async function lookUp(tx: Db, batch: Entry<ReactionRecord>[], context: ImportContext): Promise<Known> {
  const fields = batch.map((entry) => entry.fields);
  return {
    users: await users.idsByUsername(
      tx,
      fields.map(({ user }) => user),
    ),
    articles: await articles.idsBySlug(
      tx,
      fields.flatMap(({ article }) => article ?? []),
    ),
    comments: await comments.resolve(
      tx,
      fields.flatMap(({ comment }) => comment ?? []),
      context,
    ),
  };
}

function toRows(batch: Entry<ReactionRecord>[], known: Known, context: ImportContext): Row[] {
  return batch.flatMap((entry) => {
    try {
      return [toRow(entry.fields, known)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
}

function toRow(fields: ReactionRecord, known: Known): Row {
  const { user, article, comment, category, created_at, status } = fields;
  if ((article === undefined) === (comment === undefined)) {
    throw invalid("it must name either an article or a comment");
  }
  if (category === "readinglist" && comment !== undefined) {
    throw invalid('a comment can\'t stand on a reading list: give another category than "readinglist"');
  }
  if (category !== "readinglist" && status !== undefined && status !== "valid") {
    throw invalid('only a reaction of the category "readinglist" has a status');
  }
  return {
    user_id: found("user", user, known.users.get(user.toLowerCase())),
    article_id: article === undefined ? null : found("article", article, known.articles.get(article)),
    comment_id: comment === undefined ? null : found("comment", comment, known.comments.get(comment)),
    category,
    given: {
      ...(created_at !== undefined && { created_at: new Date(created_at) }),
      ...(status !== undefined && { status }),
    },
  };
}

function found(type: string, name: string, id: number | undefined): number {
  if (id !== undefined) return id;
  throw invalid(`${type} ${quote(name)} is not one of the site or of an earlier line`);
}

function pendingOf(context: ImportContext): CountChanges {
  const changes = pending.get(context) ?? noChanges();
  if (!pending.has(context)) {
    pending.set(context, changes);
    context.atEnd(async (tx) => {
      await holdAll(tx, changes);
      await countAll(tx, changes, context.now);
    });
  }
  return changes;
}

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<ReactionRecord> {
  for await (const rows of inPages((after) => queries.pageOfRecords(db, after, PAGE))) {
    for (const { id: _, created_at, category, status, ...row } of rows) {
      yield {
        ...row,
        category: category as ReactionRecord["category"],
        created_at: toIso(created_at),
        status: status as NonNullable<ReactionRecord["status"]>,
      };
    }
  }
}
