import type { FastifyRequest } from "fastify";
import { type AppError, invalid } from "../errors.ts";
import { type CursorFormat, decodeCursor, encodeCursor } from "./cursor.ts";

/** The rows of a page, and the place of the next one; undefined on the last page. */
export interface Page<Row> {
  rows: Row[];
  next: PageLink | undefined;
}

/** The parameters of a page, which replace the request's own `page` and `cursor`, and maybe its `per_page`. */
export interface PageLink {
  page?: number;
  per_page?: number;
  cursor?: string;
}

/** The part of a list that a request asks for: behind a cursor, or from an offset. */
export interface Cut {
  limit: number;
  offset: number;
  cursor: string | undefined;
}

/** The same with its cursor decoded to the sort key of a row. */
export interface Part<Key> {
  limit: number;
  offset: number;
  after?: Key | undefined;
}

export function partOf<Key>({ limit, offset, cursor }: Cut, format: CursorFormat<Key>): Part<Key> {
  if (cursor === undefined) return { limit, offset, after: undefined };
  return { limit, offset: 0, after: decodeCursor(format, cursor) };
}

/** Rows of a list, and the sort key that the next page begins behind if there are more than asked for. */
export interface Loaded<Row, Key> {
  rows: Row[];
  last: Key | undefined;
}

/** Cuts a page from a list whose pages continue behind a cursor. `load` is asked for one row more than the page has. */
export async function cutPage<Row, Key>(
  part: Part<Key>,
  format: CursorFormat<Key>,
  load: (part: Part<Key>) => Promise<Loaded<Row, Key>>,
): Promise<Page<Row>> {
  const { rows, last } = await load({ ...part, limit: part.limit + 1 });
  return {
    rows: rows.slice(0, part.limit),
    next: last === undefined ? undefined : { cursor: encodeCursor(format, last) },
  };
}

/** The largest offset: PostgreSQL counts rows off up to here. */
export const MAX_OFFSET = 100_000;

/** The refusal of a larger offset, with another way to those rows. */
export function tooDeep(wayOut: string): AppError {
  return invalid(`page goes past row ${MAX_OFFSET}: ${wayOut}`);
}

interface Asked {
  request: FastifyRequest;
  baseUrl: string;
  page: number;
  per_page: number;
}

/**
 * Cuts a page from a list whose pages are counted from 1, and gives its `Link` header. `count` is the number of all
 * rows where it is stored.
 */
export async function cutCounted<Row>(
  { page, per_page, ...asked }: Asked,
  load: (part: { limit: number; offset: number }) => Promise<Row[]>,
  count?: () => Promise<number>,
): Promise<{ rows: Row[]; headers: Record<string, string> }> {
  const offset = (page - 1) * per_page;
  const isDeep = offset > MAX_OFFSET;
  const hasRows = count
    ? async () => offset < (await count())
    : async () => (await load({ limit: 1, offset })).length > 0;
  if (isDeep && (await hasRows())) {
    throw tooDeep("ask for an earlier page, this list is shown no further");
  }
  const rows = isDeep ? [] : await load({ limit: per_page + 1, offset });
  const hasNext = rows.length > per_page && offset + per_page <= MAX_OFFSET;
  const next = hasNext ? { page: page + 1 } : undefined;
  return { rows: rows.slice(0, per_page), headers: pageLinks({ ...asked, page }, next) };
}

/** The `Link` header of a page. Behind a cursor there is no previous page. */
export function pageLinks(
  { page, first = 1, ...asked }: Pick<Asked, "request" | "baseUrl" | "page"> & { first?: number },
  next: PageLink | undefined,
): Record<string, string> {
  const hasPrevious = page > first && asked.request.given["cursor"] === undefined;
  const prev = hasPrevious ? { page: page - 1 } : undefined;
  return linkHeader({ ...asked, first: { page: first }, prev, next });
}

interface Links {
  request: FastifyRequest;
  baseUrl: string;
  first?: PageLink | undefined;
  prev?: PageLink | undefined;
  next?: PageLink | undefined;
}

/**
 * The `Link` header (RFC 8288) of a list: the request's own address with the parameters of each page that
 * exists. Parameters that the operation doesn't know are left out, because cached answers disregard them.
 */
export function linkHeader({ request, baseUrl, ...pages }: Links): Record<string, string> {
  const links = (["first", "prev", "next"] as const).flatMap((relation) => {
    const page = pages[relation];
    return page === undefined ? [] : [`<${baseUrl}${pathAndQuery(request, page)}>; rel="${relation}"`];
  });
  return links.length === 0 ? {} : { link: links.join(", ") };
}

function pathAndQuery(request: FastifyRequest, link: PageLink): string {
  const query = new URLSearchParams(request.given);
  query.delete("page");
  query.delete("cursor");
  for (const [name, value] of Object.entries(link)) query.set(name, String(value));
  const path = pathOf(request);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path as the client wrote it, without anything that could leave a header or a link. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split("?", 1)[0] ?? "";
  return path.replace(/[^\w\-./~%:@!$&'()*+,;=]/g, (char) => encodeURIComponent(char));
}
