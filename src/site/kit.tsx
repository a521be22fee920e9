import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Static, TSchema } from "typebox";
import { Type } from "typebox";
import { type ListSource, sourceOf } from "../articles/lists/page.ts";
import type { Context, Services } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { pathOf, type PageLink } from "../http/pages.ts";
import * as settings from "../settings/settings.ts";
import type { Site } from "../web/layout.tsx";
import { type Moved, type Page, sendPage } from "../web/page.tsx";

/** What a page is made from. */
export interface Visit<Query = object, Params = object> {
  request: FastifyRequest;
  query: Query;
  params: Params;
  site: Site;
  source: ListSource;
  context: Context;
  services: Services;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : object;

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

async function siteOf({ config, db, now }: Context, { cache }: Services): Promise<Site> {
  return { baseUrl: config.baseUrl, settings: await settings.cached(cache, db.main), now: now() };
}

export function createPages(app: App, context: Context, services: Services): Pages {
  const config = { access: "public", limited: true, isPage: true } as const;
  const site = () => siteOf(context, services);
  return {
    get(path, schema, make) {
      const handler: RouteHandlerMethod = (request, reply) =>
        sendPage(request, reply, {
          site,
          page: (current) =>
            make({
              request,
              query: request.query as never,
              params: request.params as never,
              site: current,
              source: sourceOf(context, services),
              context,
              services,
            }),
        });
      app.get(path, { config, schema: { hide: true, ...schema } }, handler as never);
    },
  };
}

/** With at most 100 rows each, PostgreSQL counts off no more than `MAX_OFFSET`. */
const MAX_PAGE = 1_000;

/** Of a list whose pages are counted. */
export const CountedPages = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
});

export const cursor = Type.Optional(Type.String({ maxLength: 500 }));

/** The request's own address with another page of its list. */
export function linkTo(request: FastifyRequest, link: PageLink | undefined): string | undefined {
  if (link === undefined) return undefined;
  const query = new URLSearchParams(request.given);
  query.delete("page");
  query.delete("cursor");
  for (const [name, value] of Object.entries(link)) query.set(name, String(value));
  return query.size === 0 ? pathOf(request) : `${pathOf(request)}?${query}`;
}

/** The first page of the list behind whose cursor the request asks; undefined if it asks for that. */
export function firstPage(request: FastifyRequest): string | undefined {
  return request.given["cursor"] === undefined ? undefined : linkTo(request, {});
}

/** Where a page has moved for good, with the parameters of the request. */
export function moved(request: FastifyRequest, path: string): Moved {
  const query = new URLSearchParams(request.given);
  return { movedTo: query.size === 0 ? path : `${path}?${query}` };
}

interface Counted {
  /** The first page. */
  path: string;
  page: number;
}

/** Where a page of a counted list is among the others. */
export function placeOf(
  { path, page }: Counted,
  { isEmpty, hasNext }: { isEmpty: boolean; hasNext: boolean },
) {
  const first = page > 1 && isEmpty ? path : undefined;
  const isPastEnd = first !== undefined;
  const mark = path.includes("?") ? "&" : "?";
  const at = (number: number) => (number === 1 ? path : `${path}${mark}page=${number}`);
  const place = {
    path: at(page),
    prev: page > 1 && !isPastEnd ? at(page - 1) : undefined,
    next: hasNext && page < MAX_PAGE ? at(page + 1) : undefined,
    ...(isPastEnd && { isHidden: true }),
  };
  return { first, place };
}

/** A page of a counted list, of which one row more was loaded. */
export function cutCounted<Row>(rows: readonly Row[], { perPage, ...asked }: Counted & { perPage: number }) {
  const around = placeOf(asked, { isEmpty: rows.length === 0, hasNext: rows.length > perPage });
  return { rows: rows.slice(0, perPage), ...around };
}
