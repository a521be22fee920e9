import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { readId } from "../../platform/fields/fields.ts";
import { MAX_OFFSET, tooDeep } from "../../http/pages.ts";
import { commentPath, pathUnder } from "../../platform/paths.ts";
import { idCode, idOf } from "./id-codes.ts";
import * as queries from "./queries.ts";
import type { CommentList } from "./schema.ts";
import { cutPage, cutThreads, type ThreadPage, writeTrees } from "./tree.ts";
import type { ShownRow } from "./view.ts";
import * as view from "./view.ts";

/**
 * Complete trees, up to a maximum.
 * @throws AppError not_found when the target isn't public, invalid when both are named
 */
export async function list(db: Db, query: CommentList, baseUrl: string) {
  const target = targetOf(query);
  const asked = threadPageOf(query);
  const offset = asked ? offsetOf(asked) : 0;
  const threads = await queries.findThreads(db, target, asked && { limit: asked.per_page, offset });
  if (threads === undefined) throw notFound();
  if (offset > MAX_OFFSET && (await queries.hasThreadsBehind(db, target, MAX_OFFSET))) {
    throw tooDeep("leave it out to get the oldest threads");
  }
  const { rows, next } = cut(threads.rows, asked);
  const roots = rows.filter(({ parent_id }) => parent_id === null);
  const trees = writeTrees(roots, rows, view.createWriter(baseUrl));
  const isBehind = threads.lastRoot > (rows.at(-1)?.root_id ?? Infinity);
  return {
    body: `[${trees.join(",")}]`,
    // Only for an answer with pages.
    next: next && isBehind && offsetOf(next) <= MAX_OFFSET ? next : undefined,
    isCut: rows.length < threads.rows.length,
  };
}

function cut(
  rows: queries.ThreadRow[],
  asked: ThreadPage | undefined,
): { rows: readonly queries.ThreadRow[]; next?: ThreadPage } {
  if (asked) return cutPage(rows, asked, queries.MAX_COMMENTS);
  return { rows: cutThreads(rows, queries.MAX_COMMENTS) };
}

function threadPageOf({ page, per_page }: CommentList): ThreadPage | undefined {
  return page === undefined ? undefined : { page, per_page };
}

function offsetOf({ page, per_page }: ThreadPage): number {
  return (page - 1) * per_page;
}

/** The article or the episode that a request names. @throws AppError not_found for what is no id, invalid for both */
export function targetOf({ a_id, p_id }: { a_id?: unknown; p_id?: unknown }): queries.Target {
  if (a_id !== undefined && p_id !== undefined) {
    throw invalid("a_id and p_id can't both be given: name either an article or an episode");
  }
  const id = readId(a_id ?? p_id);
  if (!id) throw notFound();
  return a_id === undefined ? { episode_id: id } : { article_id: id };
}

export interface FirstThreads {
  rows: readonly queries.ThreadRow[];
  hasMore: boolean;
}

/**
 * The first threads of a public target; none of another. Those with which there would be more than `maxComments` are left
 * out, but the first is cut. Of a comment with more than `maxHtml` characters of HTML, only as many are read.
 */
export async function firstThreads(
  db: Db,
  target: queries.Target,
  { limit, ...bounds }: { limit: number; maxComments: number; maxHtml: number },
): Promise<FirstThreads> {
  const threads = await queries.findThreads(db, target, { limit, offset: 0 }, bounds);
  if (threads === undefined) return { rows: [], hasMore: false };
  const rows = cutThreads(threads.rows, bounds.maxComments);
  const isCut = rows.length < threads.rows.length;
  return { rows, hasMore: isCut || threads.lastRoot > (rows.at(-1)?.root_id ?? Infinity) };
}

export interface Thread {
  asked: ShownRow;
  rows: ShownRow[];
  under: Place;
}

export type { Target } from "./queries.ts";

/** The article or episode of a comment. */
export interface Place {
  target: queries.Target;
  ownerId: number | null;
  title: string;
  path: string;
}

interface PartOfPage {
  maxComments: number;
  page: number;
  maxHtml: number;
}

const boundsOf = ({ maxComments, page, maxHtml }: PartOfPage) => ({
  maxComments,
  skip: (page - 1) * maxComments,
  maxHtml,
});

/** The comments of a public target in the order of their threads, one more than the page has. */
export async function pageOfThreads(db: Db, target: queries.Target, part: PartOfPage) {
  return (await queries.findThreads(db, target, undefined, boundsOf(part)))?.rows ?? [];
}

/** A comment by its code, with everything below it. */
async function treeOf(db: Db, code: string, part?: PartOfPage) {
  const id = idOf(code);
  const rows = id === undefined ? [] : await queries.findTree(db, id, part && boundsOf(part));
  return { asked: rows.find((row) => row.id === id), rows };
}

/** A comment with a page of those below it and one more, and what it is about. */
export async function threadOf(db: Db, code: string, part: PartOfPage): Promise<Thread | undefined> {
  const { asked, rows } = await treeOf(db, code, part);
  const under = asked && (await placeOf(db, asked.id));
  return asked && under && { asked, rows, under };
}

async function placeOf(db: Db, id: number): Promise<Place | undefined> {
  const [place] = await queries.findPlaces(db, [id]);
  if (place === undefined) return undefined;
  const { article_id, episode_id, owner_id: ownerId, title, publisher, slug } = place;
  const target = article_id === null ? { episode_id: episode_id ?? 0 } : { article_id };
  return { target, ownerId, title, path: pathUnder(publisher, slug) };
}

/** Comments that the page of an article or episode is sure to show, in as many threads. */
const SURELY_SHOWN = 50;

/** The address at which a public comment is shown; undefined when it isn't public. */
export async function addressOf(db: Db, id: number): Promise<string | undefined> {
  const [place, isBeyond] = [await placeOf(db, id), await queries.isBeyond(db, id, SURELY_SHOWN)];
  const code = idCode(id);
  return place && `${isBeyond ? commentPath(code) : place.path}#comment-${code}`;
}

export interface PlacedComment extends ShownRow {
  title: string;
  path: string;
}

/** A person's comments, the newest first, with what each is about. */
export async function listBy(db: Db, authorId: number, part: { limit: number; offset: number }) {
  return placed(db, await queries.findBy(db, authorId, part));
}

/** The newest comments with all these words. */
export async function search(db: Db, q: string, limit: number): Promise<PlacedComment[]> {
  return placed(db, await queries.findWithWords(db, q, limit));
}

async function placed(db: Db, rows: ShownRow[]): Promise<PlacedComment[]> {
  const places = await queries.findPlaces(
    db,
    rows.map(({ id }) => id),
  );
  const byId = new Map(places.map((place) => [place.id, place]));
  return rows.flatMap((row) => {
    const place = byId.get(row.id);
    return place ? [{ ...row, title: place.title, path: pathUnder(place.publisher, place.slug) }] : [];
  });
}

/** A comment without its answers; undefined when it isn't public. */
export async function findAlone(db: Db, id: number, baseUrl: string): Promise<object | undefined> {
  const shown = (await queries.findTree(db, id)).find((row) => row.id === id);
  if (shown === undefined) return undefined;
  const [text = ""] = writeTrees([shown], [shown], view.createWriter(baseUrl));
  return JSON.parse(text) as object;
}

/** A comment with everything below it, as JSON text. */
export async function findOne(db: Db, code: string, baseUrl: string): Promise<string> {
  const { asked, rows } = await treeOf(db, code);
  if (asked === undefined) throw notFound();
  return writeTrees([asked], rows, view.createWriter(baseUrl)).join("");
}
