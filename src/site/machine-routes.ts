import { Type } from "typebox";
import { findCounted, noteRead } from "../community/articles/reading.ts";
import { findAdmission, nameFault } from "../community/users/joining.ts";
import { answer } from "../http/answers.ts";
import type { Mount } from "../http/operation.ts";
import { notFound } from "../platform/errors.ts";
import { takeTyped } from "../platform/limits/buckets.ts";
import { suggestionsFor } from "../community/suggestions/suggestions.ts";
import { USERNAME_CHECK } from "../platform/paths.ts";
import * as settings from "../platform/settings/settings.ts";
import { DECLARATION, element } from "../content/text/xml.ts";

const schema = { hide: true };

/** Lets browsers offer the search of the site. */
export const openSearchRoute: Mount = (app, { baseUrl, cache }) => {
  app.get("/opensearch.xml", { config: { access: "public", limited: true }, schema }, (request, reply) =>
    answer(request, reply, async (db) => {
      const { community_name: name } = await settings.cached(cache, db);
      const template = `${baseUrl}/search?q={searchTerms}`;
      const suggestions = `${baseUrl}/search/suggestions?q={searchTerms}`;
      const body = element(
        "OpenSearchDescription",
        { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
        // OpenSearch 1.1: at most 16 characters.
        element("ShortName", {}, Array.from(name).slice(0, 16).join("")),
        element("Description", {}, `Search ${name}`),
        element("InputEncoding", {}, "UTF-8"),
        element("Url", { type: "text/html", template }),
        element("Url", { type: "application/json", rel: "suggestions", template: suggestions }),
      ).xml;
      return {
        body: `${DECLARATION}${body}\n`,
        type: "application/opensearchdescription+xml; charset=utf-8",
      };
    }),
  );
};

const Beginning = Type.Object({ q: Type.String({ maxLength: 100, "x-any-text": true }) });

/**
 * Completions of a query, in the form of OpenSearch: the query, then the suggestions, their kinds and their
 * addresses.
 */
export const suggestionRoute: Mount = (app, { baseUrl, cache, config, now, searchMemory }) => {
  app.get(
    "/search/suggestions",
    { config: { access: "public", limited: true }, schema: { ...schema, querystring: Beginning } },
    (request, reply) => {
      let isCounted = false;
      return answer(request, reply, async (db) => {
        // Only the limit of reads holds for kept suggestions, which cost nothing.
        // A load that is repeated on another server counts once.
        if (config.rateLimits && !isCounted) takeTyped(app.buckets, "suggestions", request.ip);
        isCounted = true;
        const { q: typed } = request.query;
        const current = await searchMemory.current(db.slow, cache);
        const found = await suggestionsFor(db.replica, current, { typed, now: now() });
        return {
          body: JSON.stringify([
            typed,
            found.map(({ text }) => text),
            found.map(({ kind }) => kind),
            found.map(({ path }) => baseUrl + path),
          ]),
          type: "application/json; charset=utf-8",
        };
      });
    },
  );
};

const Query = Type.Object({
  username: Type.String({ maxLength: 100, "x-any-text": true }),
  invitation: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Says whether a username is free, as `fault`: a sentence, or null. Only for a person who may join. */
export const usernameRoute: Mount = (app, { config, db, now }) => {
  app.get(
    USERNAME_CHECK,
    { config: { access: "open", limited: true }, schema: { hide: true, querystring: Query } },
    async ({ ip, query: { username, invitation } }, reply) => {
      if (config.rateLimits) takeTyped(app.buckets, "usernames", ip);
      if ((await findAdmission(db.main, invitation, now())) === undefined) throw notFound();
      const words = await nameFault(db.main, username);
      const fault = words === undefined ? null : `Username ${words}`;
      return reply.header("cache-control", "private, no-store").send({ fault });
    },
  );
};

const Report = Type.Object({
  article_id: Type.Integer({ minimum: 1 }),
  /** The origin of the page that led to the article. */
  referrer: Type.Optional(Type.String({ maxLength: 300 })),
});

/** Counts reads of articles that a cache in front of the server sends: a script in each page reports its own. */
export const viewRoutes: Mount = (app, { config, db, now, views }) => {
  if (config.edgeSeconds === 0) return;
  app.post(
    "/views",
    {
      config: { access: "public", limited: true, isRead: true },
      schema: { hide: true, querystring: Report },
    },
    async ({ query, ip, headers, caller }, reply) => {
      const row = await findCounted(db.shared, query.article_id);
      const reader = { method: "GET", ip, headers: { ...headers, referer: query.referrer }, caller };
      noteRead(views, reader, { row, at: now() });
      return reply.code(204).header("cache-control", "no-store").send();
    },
  );
};
