import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../errors.ts";
import { idOf } from "./id-codes.ts";
import * as queries from "./queries.ts";
import type { CommentList } from "./schema.ts";
import { writeTrees } from "./tree.ts";
import * as view from "./view.ts";

/** Threads can be counted off up to here. */
const MAX_OFFSET = 100_000;

/** Threads as JSON text. */
export interface ThreadPage {
  body: string;
  /** Whether there are threads behind the page. */
  hasMore: boolean;
  /** Whether it ends before the last comment that was asked for. */
  isCut: boolean;
}

/**
 * The comments under an article or an episode as trees, which are complete unless there are very many.
 * @throws AppError not_found when it isn't public, invalid when both are named
 */
export async function list(db: Db, query: CommentList, baseUrl: string): Promise<ThreadPage> {
  const target = targetOf(query);
  const part = partOf(query);
  if (part && part.offset > MAX_OFFSET && (await queries.hasThreadsBehind(db, target, MAX_OFFSET))) {
    throw invalid(`page goes past row ${MAX_OFFSET}: leave it out to get all threads`);
  }
  const threads = await queries.findThreads(db, target, part);
  if (threads === undefined) throw notFound();
  const roots = threads.rows.filter(({ parent_id }) => parent_id === null);
  const trees = writeTrees(roots, threads.rows, view.createWriter(baseUrl));
  const isCut = threads.rows.length === queries.MAX_COMMENTS;
  return { body: `[${trees.join(",")}]`, hasMore: threads.hasMore, isCut };
}

function targetOf({ a_id, p_id }: CommentList): queries.Target {
  if (a_id !== undefined && p_id !== undefined) {
    throw invalid("a_id and p_id can't both be given: name either an article or an episode");
  }
  const id = numberOf(a_id ?? p_id ?? "");
  if (id === undefined) throw notFound();
  return a_id === undefined ? { episode_id: id } : { article_id: id };
}

/** What isn't the number of anything is the number of nothing. */
function numberOf(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Infinity;
  return id <= 2_147_483_647 ? id : undefined;
}

function partOf({ page, per_page }: CommentList): { limit: number; offset: number } | undefined {
  return page === undefined ? undefined : { limit: per_page, offset: (page - 1) * per_page };
}

/**
 * One comment with everything below it, as JSON text.
 * @throws AppError not_found
 */
export async function findOne(db: Db, code: string, baseUrl: string): Promise<string> {
  const id = idOf(code);
  const rows = id === undefined ? [] : await queries.findThreadOf(db, id);
  const [asked] = rows;
  if (asked === undefined) throw notFound();
  return writeTrees([asked], rows, view.createWriter(baseUrl)).join("");
}
