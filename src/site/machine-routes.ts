import { Type } from "typebox";
import { answer } from "../http/answers.ts";
import type { Mount } from "../http/operation.ts";
import { takeTyped } from "../platform/limits/buckets.ts";
import { suggestionsFor } from "../community/suggestions/suggestions.ts";
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
