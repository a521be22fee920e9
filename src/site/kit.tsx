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

const MAX_PAGE = 100_000;

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
  for (const [name, value] of Object.entries(link)) {
    if (name !== "page" || value !== 1) query.set(name, String(value));
  }
  return query.size === 0 ? pathOf(request) : `${pathOf(request)}?${query}`;
}

/** The links beside a page of a counted list, of which one row more was loaded. */
export function countedLinks(request: FastifyRequest, { page, hasNext }: { page: number; hasNext: boolean }) {
  return {
    prev: page > 1 ? linkTo(request, { page: page - 1 }) : undefined,
    next: hasNext ? linkTo(request, { page: page + 1 }) : undefined,
  };
}
