import type { FastifyRequest } from "fastify";
import { type AppError, invalid } from "../errors.ts";
import { faultIn } from "../text/valid-text.ts";

/** The values that an order sorts by; the id comes last. */
export type CursorValues = readonly (string | number)[];

/** How cursors of one order of a list hold the sort key of a row. */
export interface CursorFormat<Key> {
  /** The name of the order. A cursor fits only lists of this order. */
  name: string;
  toValues(key: Key): CursorValues;
  /** Undefined for values that no row of this order has: cursors come from outside. */
  toKey(values: CursorValues): Key | undefined;
}

const MAX_LENGTH = 500;

export function encodeCursor<Key>({ name, toValues }: CursorFormat<Key>, key: Key): string {
  return Buffer.from(JSON.stringify([name, ...toValues(key)])).toString("base64url");
}

export function decodeCursor<Key>({ name, toKey }: CursorFormat<Key>, text: string): Key {
  const parts = parse(text);
  const key = parts?.[0] === name ? toKey(parts.slice(1)) : undefined;
  if (key === undefined) throw invalid("cursor is not one that this list gave: start again without it");
  return key;
}

function parse(text: string): CursorValues | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parts) && parts.every(isScalar) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Such a text can't be stored, so no row has it. */
function isScalar(part: unknown): part is string | number {
  return typeof part === "number" || (typeof part === "string" && faultIn(part) === undefined);
}

const MAX_INT = 2_147_483_647;
const KINDS = {
  int: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT,
  float: (value: unknown) => Number.isFinite(value),
  date: (value: unknown) => typeof value === "string" && isInstant(value),
};

/** As `toISOString` writes it. PostgreSQL has no year 0. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0;
}

export function areValues(values: CursorValues, kinds: readonly (keyof typeof KINDS)[]): boolean {
  return values.length === kinds.length && kinds.every((kind, index) => KINDS[kind](values[index]));
}

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

type Written = Pick<FastifyRequest, "url" | "given">;

interface Asked {
  request: Written;
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
  request: Written;
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

function pathAndQuery(request: Written, link: PageLink): string {
  const query = new URLSearchParams(request.given);
  query.delete("page");
  query.delete("cursor");
  for (const [name, value] of Object.entries(link)) query.set(name, String(value));
  const path = pathOf(request);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path as the client wrote it, without anything that could leave a header or a link. */
export function pathOf(request: Written): string {
  const path = request.url.split("?", 1)[0] ?? "";
  return path.replace(/[^\w\-./~%:@!$&'()*+,;=]/g, (char) => encodeURIComponent(char));
}
