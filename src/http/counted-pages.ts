import type { FastifyRequest } from "fastify";
import { type AppError, invalid } from "../errors.ts";
import { linkHeader } from "./links.ts";

/** Rows can be counted off up to here. */
export const MAX_OFFSET = 100_000;

/** What is said of a page behind that: the way to what was sought. */
export function tooDeep(wayOut: string): AppError {
  return invalid(`page goes past row ${MAX_OFFSET}: ${wayOut}`);
}

interface Asked {
  request: FastifyRequest;
  baseUrl: string;
  /** From 1. */
  page: number;
  per_page: number;
}

interface List<Row> {
  load(part: { limit: number; offset: number }): Promise<Row[]>;
  /** How many rows there are; asked only when somebody wants to go very far. */
  count(): Promise<number>;
}

/**
 * Cuts a page from a list whose pages are counted from 1, and says in a `Link` header where others are.
 * @throws AppError invalid for one too deep to count off
 */
export async function cutCounted<Row>(
  { request, baseUrl, page, per_page }: Asked,
  list: List<Row>,
): Promise<{ rows: Row[]; headers: Record<string, string> }> {
  const offset = (page - 1) * per_page;
  // One more than asked for tells whether there is a next page.
  const rows = (await isPastEnd(offset, list)) ? [] : await list.load({ limit: per_page + 1, offset });
  const hasNext = rows.length > per_page && offset + per_page <= MAX_OFFSET;
  return { rows: rows.slice(0, per_page), headers: pageLinks({ request, baseUrl, page }, hasNext) };
}

/** Says in a `Link` header where other pages of a list are whose pages are counted from 1. */
export function pageLinks(
  { page, ...asked }: Pick<Asked, "request" | "baseUrl" | "page">,
  hasNext: boolean,
): Record<string, string> {
  return linkHeader({
    ...asked,
    first: { page: 1 },
    prev: page > 1 ? { page: page - 1 } : undefined,
    next: hasNext ? { page: page + 1 } : undefined,
  });
}

async function isPastEnd(offset: number, list: Pick<List<unknown>, "count">): Promise<boolean> {
  if (offset <= MAX_OFFSET) return false;
  if (offset >= (await list.count())) return true;
  throw tooDeep("ask for an earlier page, this list is shown no further");
}
