import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";
import type { Static, TSchema } from "typebox";
import { Type } from "typebox";
import { type ListSource, sourceOf } from "../community/articles/lists/page.ts";
import { type CountedArticle, noteRead } from "../community/articles/reading.ts";
import type { Session, Viewer } from "../http/actor.ts";
import { type Answer, answer, memberAnswer } from "../http/answers.ts";
import { sessionOf } from "../http/auth.ts";
import { AppError } from "../platform/errors.ts";
import type { App } from "../http/app-type.ts";
import { sendRefusal } from "../http/errors.ts";
import type { Program } from "../http/operation.ts";
import { countedPart, type Cut, linkTo, type PageRequest, type Part } from "../http/pages.ts";
import { withQuery } from "../platform/paths.ts";
import * as settings from "../platform/settings/settings.ts";
import * as sitemap from "../community/sitemap/sitemap.ts";
import { hasPeople } from "../community/users/first-run.ts";
import { findViewer } from "../community/users/viewer.ts";
import { earlyScript, viewScript } from "./kit/assets.ts";
import { Document, Fragment, type Head, type Site, themeStyle } from "./kit/layout.tsx";

/** The request for a page, and all that the page is made from. */
export interface Visit<Query = object, Params = object> {
  request: FastifyRequest;
  query: Query;
  params: Params;
  site: Site;
  source: ListSource;
  services: Program;
}

export interface Page extends Head {
  body: ComponentChildren;
  /** The article whose reads are counted. */
  counted?: CountedArticle;
  /** All that the page is made from beside the settings, as JSON: while it is the same, the page isn't made again. */
  madeFrom?: unknown;
}

export interface Moved {
  movedTo: string;
}

export const HTML_TYPE = "text/html; charset=utf-8";

const PLAYERS = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];

const digestOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

/**
 * Nothing inline runs but these texts. Pictures, sounds and players of authors may be elsewhere; those of the site
 * have its usual address, by whatever address a reader came.
 */
export function policy(site: Site, scripts = [earlyScript()]): string {
  const { origin } = new URL(site.baseUrl);
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.map(digestOf).join(" ")}`,
    `style-src 'self' ${digestOf(themeStyle(site))}`,
    `img-src 'self' ${origin} https: data:`,
    `media-src 'self' ${origin} https:`,
    `frame-src ${PLAYERS.join(" ")}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function toHtml(site: Site, page: Pick<Page, "body"> & Head): string {
  return `<!doctype html>\n${render(<Document site={site} {...page} />)}\n`;
}

export function toFragment(site: Site, { title, body }: Page): string {
  return render(<Fragment site={site} title={title} body={body} />);
}

/**
 * The reads of an article are counted as its page is sent or, if a cache in front may send it to strangers, as a script
 * reports them.
 */
export function answerOf(
  site: Site,
  { madeFrom, counted, ...page }: Page | (Moved & { madeFrom?: undefined; counted?: undefined }),
  { config, views }: Program,
): Answer {
  if ("movedTo" in page) {
    return { body: "", type: HTML_TYPE, status: 301, headers: { location: page.movedTo } };
  }
  const reported = config.edgeSeconds > 0 && site.viewer === undefined ? counted?.id : undefined;
  const scripts = reported === undefined ? [earlyScript()] : [earlyScript(), viewScript()];
  return {
    body: () => toHtml(site, { ...page, reported }),
    ...(madeFrom !== undefined && {
      madeFrom: hash("sha1", JSON.stringify([site.settings, site.sections, madeFrom])),
    }),
    type: HTML_TYPE,
    headers: { "content-security-policy": policy(site, scripts) },
    ...(counted &&
      reported === undefined && {
        onSent: (reader) => noteRead(views, reader, { row: counted, at: site.now }),
      }),
  };
}

export type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : object;

interface Schemas {
  querystring?: TSchema;
  params?: TSchema;
}

export interface Pages {
  get<S extends Schemas>(
    path: string,
    schema: S,
    make: (visit: Visit<StaticOf<S["querystring"]>, StaticOf<S["params"]>>) => Promise<Page | Moved>,
  ): void;
}

/**
 * Pages are the same for all strangers, and answered as reads of the API are; a reader with a session gets a page of
 * their own. Open ones are for strangers of a private community too, and need no database.
 */
export function createPages(app: App, program: Program, access: "public" | "open" = "public"): Pages {
  const isOpen = access === "open";
  const config = { access, limited: !isOpen, isPage: true } as const;
  return {
    get(path, schema, make) {
      const pageOf = async (visit: Visit) =>
        answerOf(visit.site, await make(visit as Parameters<typeof make>[0]), program);
      const handler: RouteHandlerMethod = async (request, reply) => {
        if (!isOpen && !(await hasPeople(program.db.main))) return sendBeingSetUp(reply);
        if (sessionOf(request) !== undefined) {
          const visit = await openVisit(request, program, { isOpen });
          const { id } = visit.site.viewer ?? { id: 0 };
          return memberAnswer(request, reply, { id, answer: await pageOf(visit) });
        }
        return answer(request, reply, async (db) =>
          pageOf(await openVisit(request, { ...program, db }, { isOpen })),
        );
      };
      app.get(path, { config, schema: { hide: true, ...schema } }, handler as never);
    },
  };
}

const SET_UP_SECONDS = 30;

export function sendBeingSetUp(reply: FastifyReply): Promise<FastifyReply> {
  return sendRefusal(reply.header("retry-after", SET_UP_SECONDS), 503, BEING_SET_UP);
}

export const BEING_SET_UP = "This site is being set up";

export async function openVisit(
  request: FastifyRequest,
  services: Program,
  { isOpen }: { isOpen: boolean },
): Promise<Visit> {
  const { db, cache } = services;
  const known = viewerOf(sessionOf(request), db);
  const viewer = await (isOpen ? known.catch(() => undefined) : known);
  const current = settings.cached(cache, db);
  const isForStrangers = isOpen && viewer === undefined;
  const shown = isForStrangers
    ? settings.forAnonymous(await current.catch(settings.defaults))
    : await current;
  const site = await siteOf(services, { settings: shown, viewer });
  const { query, params } = request as { query: object; params: object };
  return { request, query, params, site, source: sourceOf(services), services };
}

/** Strangers of a private community don't learn which sections it has. */
export async function siteOf(
  services: Pick<Program, "baseUrl" | "db" | "now" | "cache">,
  { settings: shown, viewer }: Pick<Site, "settings" | "viewer">,
): Promise<Site> {
  const isHidden = shown.visibility === "private" && !viewer;
  const load = () => sitemap.sections(services);
  const find = () => services.cache.memoize("sections", load, { outlivesWrites: true });
  const sections = isHidden ? [] : await find().catch(() => []);
  return { baseUrl: services.baseUrl, settings: shown, now: services.now(), viewer, sections };
}

export async function viewerOf(session: Session | undefined, db: Program["db"]): Promise<Viewer | undefined> {
  if (session === undefined) return undefined;
  const [viewer] = await findViewer(db.main, { id: session.id });
  return viewer;
}

/** PostgreSQL counts off no more than `MAX_OFFSET` rows up to this page, if pages have at most 100. */
const MAX_PAGE = 1_000;

export const CountedPages = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
});

export const cursor = Type.Optional(Type.String({ maxLength: 500 }));

/** Sends the reader to the page's new address, with the parameters of the request. */
export function moved(request: FastifyRequest, path: string): Moved {
  return { movedTo: withQuery(path, request.given) };
}

/** The position of a page in its list. */
export interface Place extends Pick<Head, "path" | "prev" | "next" | "isHidden"> {
  /** The first page, unless this is it or there are rows. */
  first?: string | undefined;
}

/** A page of a list that continues behind a cursor. */
export async function cursorPage<Listed extends Part<unknown>>(
  { request, source, query: { cursor } }: Pick<Visit<{ cursor?: string }>, "request" | "source" | "query">,
  perPage: number,
  list: (source: ListSource, cut: Cut) => Promise<Listed>,
): Promise<{ part: Listed; place: Omit<Place, "path" | "prev"> }> {
  const part = await list(source, { limit: perPage, offset: 0, after: cursor });
  const isHidden = cursor !== undefined;
  const first = isHidden ? linkTo(request, {}) : undefined;
  return { part, place: { first, next: part.next && linkTo(request, part.next), isHidden } };
}

interface Counted {
  /** The path of the first page, without parameters. */
  path: string;
  perPage: number;
}

/** A page of a list whose pages are counted. Its address keeps the other parameters of the request. */
export async function countedPage<Row>(
  { request, query: { page } }: { request: PageRequest; query: { page: number } },
  { path, perPage }: Counted,
  load: (cut: Cut) => Promise<Row[]>,
): Promise<{ rows: Row[]; place: Place }> {
  const { rows, next } = await countedPart({ page, per_page: perPage }, load);
  const isPastEnd = page > 1 && rows.length === 0;
  const at = (number: number) => linkTo(request, number === 1 ? {} : { page: number }, path);
  const place = {
    first: isPastEnd ? at(1) : undefined,
    path: at(page),
    prev: page > 1 && !isPastEnd ? at(page - 1) : undefined,
    next: next && page < MAX_PAGE ? at(page + 1) : undefined,
    ...(isPastEnd && { isHidden: true }),
  };
  return { rows, place };
}

/** A page that was published, and isn't any more. */
export class Gone extends AppError {
  constructor() {
    super("gone", "gone");
  }
}
