import { type Static, Type } from "typebox";
import { bySlug, findReferences } from "../articles/rendering.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import * as podcasts from "../podcasts/podcasts.ts";
import type { Resolved } from "../records/declaration.ts";
import { recordType } from "../records/driver.ts";
import { inPages } from "../records/pages.ts";
import { MAX_RECORD_ID, passIds } from "../records/identity.ts";
import type { ImportContext, ImportState } from "../records/record-type.ts";
import { flag, Moment, OptionalText, Text } from "../records/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import { htmlOf, RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import * as users from "../users/users.ts";
import { checkLength, checkMarkdown } from "./body.ts";
import { recount } from "./comments.ts";
import { idCode, idOf } from "./id-codes.ts";
import * as queries from "./record-queries.ts";
import { byName, declare, note } from "./references.ts";
import { childrenOf, everythingBelow, type Placed } from "./tree.ts";

const CommentRecord = Type.Object({
  id_code: Type.Optional(
    Type.String({
      pattern: "^[1-9a-p][0-9a-p]{0,6}$",
      "x-rule": "a number in base 26 of the digits 0-9 and a-p, such as m35m",
    }),
  ),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  author: Type.Optional(
    Type.String({ description: "left out of a deleted comment whose author's account was deleted" }),
  ),
  article: OptionalText,
  episode: OptionalText,
  body_markdown: Text,
  parent: OptionalText,
  created_at: Moment,
  edited_at: Moment,
  deleted: flag(false),
  hidden: flag(false),
  score: Type.Optional(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
});
export type CommentRecord = Static<typeof CommentRecord>;
type Names = "author" | "article" | "episode" | "parent";
type WithIds = Pick<Resolved<CommentRecord, Names>, "fields" | "ids">;

export const commentRecords = recordType({
  type: "comment",
  schema: CommentRecord,
  keyOf: ({ id_code, ref, author, body_markdown }) =>
    id_code ?? ref ?? `${author ?? "deleted"}: ${body_markdown}`,
  table: "comments",
  links: ({ id_code, ref, parent }) => ({ names: [id_code, ref], to: parent }),
  prepare,
  check,
  references: {
    author: users.byUsername,
    article: bySlug,
    episode: podcasts.episodeByPath,
    parent: { ...byName, noun: "a comment" },
  },
  lookUp,
  key: ({ fields, known, ...record }) => {
    const like = likenessOf({ fields, ...record });
    const parent = known.rows.get(like.parent_id ?? 0);
    if (parent && !isSamePlace(parent, like)) {
      throw invalid(`parent ${quote(fields.parent ?? "")} stands under something else`);
    }
    const own = known.rows.get(wantedId(fields) ?? 0);
    const isMoved = own && isSameComment(own, like) && own.parent_id !== like.parent_id;
    if (isMoved && like.created_at) {
      throw invalid("on the site it is a reply to another comment, and comments can't be moved");
    }
    return { id: known.ids.get(fields) ?? 0 };
  },
  find: async (_tx, _keys, { rows }) => [...rows.values()],
  columns: async ({ fields, known, existing, context, ...record }) => {
    const { body_markdown, edited_at, deleted, hidden, score } = fields;
    const { created_at, ...like } = likenessOf({ fields, ...record });
    const { references } = known;
    return {
      ...like,
      body_html: await htmlOf(existing, body_markdown, () =>
        context.renderPool.render(body_markdown, { references }),
      ),
      renderer_version: RENDERER_VERSION,
      created_at: created_at ?? existing?.created_at ?? context.now,
      edited_at: edited_at === undefined ? null : new Date(edited_at),
      // Moderation after the export stays, unless the record contradicts.
      deleted: deleted ?? existing?.deleted ?? false,
      hidden: hidden ?? existing?.hidden ?? false,
      // The score of a record excludes reactions that are records.
      points: score ?? existing?.points ?? 1,
    };
  },
  // A trigger sets it.
  defaults: () => ({ root_id: 0 }),
  storeParts: async (_tx, { fields, id }, context) => {
    note(context, fields, id);
    return false;
  },
  after: (_tx, { created, changed }, context) => {
    const articles = context.state(ARTICLES);
    const written = [...created, ...changed.map(({ before }) => before)];
    for (const { article_id: id } of written) if (typeof id === "number") articles.add(id);
  },
  read: exportRecords,
});

/** Ids of records without one, which are numbered in the order of the file. */
const NUMBERS: ImportState<WeakMap<CommentRecord, number>> = { initial: () => new WeakMap() };

async function prepare(tx: Db, batch: CommentRecord[], context: ImportContext): Promise<void> {
  for (const fields of batch) declare(context, fields);
  await passIds(tx, "comments", batch.map(wantedId));
  const nameless = batch.filter(({ id_code }) => id_code === undefined);
  const ids = await queries.nextIds(tx, nameless.length);
  for (const [index, fields] of nameless.entries()) context.state(NUMBERS).set(fields, ids[index] ?? 0);
}

function check(fields: CommentRecord): void {
  const { author, article, episode, body_markdown, id_code, deleted } = fields;
  if ((article === undefined) === (episode === undefined)) {
    throw invalid("it must name either an article or an episode");
  }
  // A deleted comment may have lost its text elsewhere.
  if (deleted) checkLength(body_markdown);
  else checkMarkdown(body_markdown);
  if (author === undefined && (!deleted || body_markdown !== "")) {
    throw invalid("author is missing: only a deleted comment with an empty body_markdown may lack it");
  }
  if (id_code !== undefined && wantedId(fields) === undefined) {
    throw invalid(`id_code ${quote(id_code)} is too large a number: leave it out`);
  }
}

function wantedId({ id_code }: CommentRecord): number | undefined {
  const id = id_code === undefined ? undefined : idOf(id_code);
  return id !== undefined && id <= MAX_RECORD_ID ? id : undefined;
}

function likenessOf({ fields: { body_markdown, created_at }, ids }: WithIds): queries.Likeness {
  return {
    author_id: ids.author ?? null,
    article_id: ids.article ?? null,
    episode_id: ids.episode ?? null,
    parent_id: ids.parent ?? null,
    created_at: created_at === undefined ? null : new Date(created_at),
    body_markdown,
  };
}

type Comparable = Omit<queries.Likeness, "body_markdown" | "parent_id">;

function isSamePlace(one: Comparable, other: Comparable): boolean {
  return one.article_id === other.article_id && one.episode_id === other.episode_id;
}

/** Another comment may have taken the id of a record. */
function isSameComment(existing: Comparable, like: Comparable): boolean {
  const isThen = like.created_at === null || existing.created_at?.getTime() === like.created_at.getTime();
  return isThen && existing.author_id === like.author_id && isSamePlace(existing, like);
}

/** Gives each record the id of its comment, which may be new, and the comments of these ids and their parents. */
async function lookUp(tx: Db, records: readonly WithIds[], context: ImportContext) {
  const wanted = records.map(({ fields }) => wantedId(fields));
  const named = [...wanted, ...records.map(({ ids }) => ids.parent)].filter((id) => id !== undefined);
  const rows = new Map((await queries.findByIds(tx, named)).map((row) => [row.id, row]));
  const likes = records.map((record, index) => ({ index, ...likenessOf(record) }));
  const isFree = ({ index }: { index: number }) => wanted[index] !== undefined && !rows.has(wanted[index]);
  const unmatched = likes.filter((like) => !isFree(like));
  const alike = await queries.findAlike(tx, unmatched);
  const existing = likes.map((like) => {
    const own = rows.get(wanted[like.index] ?? 0);
    const isOwn = own && isSameComment(own, like) && own.parent_id === like.parent_id;
    return isOwn ? own : alike.get(like.index);
  });
  // The same words again, without a number of their own, are the same comment.
  const firsts = new Map<string, number>();
  const sameAs = likes.map(({ index, ...like }) => {
    const content = JSON.stringify(like);
    const first = firsts.get(content) ?? index;
    firsts.set(content, first);
    return isFree({ index }) ? index : first;
  });
  const fresh = likes
    .map(({ index }) => index)
    .filter((index) => !existing[index] && sameAs[index] === index);
  const numbers = records.map(({ fields }) => wantedId(fields) ?? context.state(NUMBERS).get(fields));
  const given = await queries.giveIds(
    tx,
    fresh.map((index) => numbers[index]),
  );
  const idAt = (index: number) => existing[index]?.id ?? given[fresh.indexOf(sameAs[index] ?? index)] ?? 0;
  for (const row of alike.values()) rows.set(row.id, row);
  return {
    rows,
    ids: new Map(records.map(({ fields }, index) => [fields, idAt(index)])),
    references: await findReferences(
      tx,
      records.map(({ fields }) => fields.body_markdown),
      context.renderPool,
    ),
  };
}
/** Written last, so that writers of comments don't wait for the whole import. */
const ARTICLES: ImportState<Set<number>> = {
  initial: () => new Set(),
  atEnd: (tx, ids) => recount(tx, [...ids]),
};

const THREADS = 200;
const COMMENTS = 200;

/** Thread by thread, parents first, without deleted articles. */
async function* exportRecords(db: Db): AsyncGenerator<object> {
  for await (const roots of inPages((after) => queries.listRootsAfter(db, after, THREADS))) {
    const answers = await queries.listBelow(
      db,
      roots.map(({ id }) => id),
    );
    const ids = inOrder(roots, answers);
    for (let from = 0; from < ids.length; from += COMMENTS) {
      yield* await recordsOf(db, ids.slice(from, from + COMMENTS));
    }
  }
}

/** Imported answers may have lower ids than their parents. */
function inOrder(roots: Placed[], answers: Placed[]): number[] {
  const children = childrenOf(answers);
  return roots.flatMap((root) => [root.id, ...everythingBelow(root, children).map(({ id }) => id)]);
}

async function recordsOf(db: Db, ids: number[]): Promise<object[]> {
  const rows = await queries.listNamed(db, ids);
  return rows.map((row) => ({
    ...row,
    id_code: idCode(row.id),
    parent: row.parent_id === null ? null : idCode(row.parent_id),
    score: row.points === 1 ? null : row.points,
  }));
}
