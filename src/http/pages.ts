import type { FastifyRequest } from "fastify";
import type { Slice } from "../platform/db/values.ts";
import { type AppError, invalid } from "../platform/errors.ts";
import { withQuery } from "../platform/paths.ts";
import { faultIn } from "../platform/text/valid-text.ts";

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

/** Whether a row can have this value: a text with a fault can't be stored. */
function isScalar(part: unknown): part is string | number {
  return typeof part === "number" || (typeof part === "string" && faultIn(part) === undefined);
}

const MAX_INT = 2_147_483_647;
const KINDS = {
  int: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT,
  float: (value: unknown) => Number.isFinite(value),
  date: (value: unknown) => typeof value === "string" && isInstant(value),
};

/** Whether a text is a date as `toISOString` writes it. PostgreSQL has no year 0. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0;
}

export function areValues(values: CursorValues, kinds: readonly (keyof typeof KINDS)[]): boolean {
  return values.length === kinds.length && kinds.every((kind, index) => KINDS[kind](values[index]));
}

/** The parameters of a page, which replace a request's own `page` and `cursor`, and maybe its `per_page`. */
export interface PageLink {
  page?: number;
  per_page?: number;
  cursor?: string;
}

/** The rows that a request asks for: those behind a cursor, or from an offset. */
export interface Cut<After = string> extends Slice {
  after?: After | undefined;
}

/** A part of a list, and the page that begins behind it; undefined at the end. */
export interface Part<Row> {
  rows: Row[];
  next: PageLink | undefined;
}

export function decoded<Key>({ limit, offset, after }: Cut, format: CursorFormat<Key>): Cut<Key> {
  return after === undefined ? { limit, offset } : { limit, offset: 0, after: decodeCursor(format, after) };
}

/** @param rows one more than `limit`, if there are more */
export function toPart<Row>(rows: Row[], limit: number, next: () => PageLink | undefined): Part<Row> {
  if (rows.length <= limit) return { rows, next: undefined };
  return { rows: rows.slice(0, limit), next: next() };
}

/** The largest offset: PostgreSQL counts rows off up to here. */
export const MAX_OFFSET = 100_000;

/** The refusal of a larger offset, with another way to those rows. */
export function tooDeep(wayOut: string): AppError {
  return invalid(`page goes past row ${MAX_OFFSET}: ${wayOut}`);
}

type Load<Row> = (slice: Slice) => Promise<Row[]>;
type Count = () => Promise<number>;

/** A part of a list whose pages are counted from 1. `count` is the number of all rows where it is stored. */
export async function countedPart<Row>(
  { page, per_page }: { page: number; per_page: number },
  load: Load<Row>,
  count?: Count,
): Promise<Part<Row>> {
  const offset = (page - 1) * per_page;
  const isDeep = offset > MAX_OFFSET;
  const hasRows = count
    ? async () => offset < (await count())
    : async () => (await load({ limit: 1, offset })).length > 0;
  if (isDeep && (await hasRows())) {
    throw tooDeep("ask for an earlier page, this list is shown no further");
  }
  const rows = isDeep ? [] : await load({ limit: per_page + 1, offset });
  const isLast = offset + per_page > MAX_OFFSET;
  return toPart(rows, per_page, () => (isLast ? undefined : { page: page + 1 }));
}

export type PageRequest = Pick<FastifyRequest, "url" | "given">;

interface Asked {
  request: PageRequest;
  baseUrl: string;
  page: number;
}

export async function cutCounted<Row>(
  { page, per_page, ...asked }: Asked & { per_page: number },
  load: Load<Row>,
  count?: Count,
): Promise<{ rows: Row[]; headers: Record<string, string> }> {
  const { rows, next } = await countedPart({ page, per_page }, load, count);
  return { rows, headers: pageLinks({ ...asked, page }, next) };
}

/** The `Link` header of a page. Behind a cursor there is no previous page. */
export function pageLinks(
  { page, first = 1, ...asked }: Asked & { first?: number },
  next: PageLink | undefined,
): Record<string, string> {
  const hasPrevious = page > first && asked.request.given["cursor"] === undefined;
  const prev = hasPrevious ? { page: page - 1 } : undefined;
  return linkHeader({ ...asked, first: { page: first }, prev, next });
}

interface Links extends Omit<Asked, "page"> {
  first?: PageLink | undefined;
  prev?: PageLink | undefined;
  next?: PageLink | undefined;
}

/** The `Link` header (RFC 8288) of a list: the addresses of the pages that exist. */
export function linkHeader({ request, baseUrl, ...pages }: Links): Record<string, string> {
  const links = (["first", "prev", "next"] as const).flatMap((relation) => {
    const page = pages[relation];
    return page === undefined ? [] : [`<${baseUrl}${linkTo(request, page)}>; rel="${relation}"`];
  });
  return links.length === 0 ? {} : { link: links.join(", ") };
}

/**
 * The request's own address with another page of its list. Parameters that the operation doesn't know are left out,
 * because cached answers disregard them.
 */
export function linkTo(request: PageRequest, link: PageLink, path = pathOf(request)): string {
  const { page: _page, cursor: _cursor, ...given } = request.given;
  return withQuery(path, { ...given, ...link });
}

/** The path as the client wrote it, without anything that could leave a header or a link. */
export function pathOf(request: PageRequest): string {
  const path = request.url.split("?", 1)[0] ?? "";
  return path.replace(/[^\w\-./~%:@!$&'()*+,;=]/g, (char) => encodeURIComponent(char));
}
