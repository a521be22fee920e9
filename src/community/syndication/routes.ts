import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type ListSource, sourceOf } from "../articles/lists/page.ts";
import { ArticleSearch } from "../articles/schema.ts";
import {
  community,
  findPublisher,
  publishedBy,
  searched,
  type SubjectWithFeed,
  tagged,
} from "../articles/subjects.ts";
import { notFound } from "../../platform/errors.ts";
import { answer } from "../../http/answers.ts";
import type { Mount } from "../../http/operation.ts";
import { type Format, OTHERS, RSS } from "./formats.ts";
import { MAX_QUERY } from "../../search/index/query-parts.ts";
import * as tags from "../tags/tags.ts";
import * as feeds from "./feeds.ts";

const { tag, top, cursor } = ArticleSearch.properties;

const FeedPage = Type.Object({ cursor });

/** The search of the API, but with a required query. */
const SearchFeed = Type.Object({
  q: Type.String({ maxLength: MAX_QUERY, "x-any-text": true }),
  tag,
  top,
  cursor,
});

const FeedName = Type.Object({ name: Type.String() });

const config = { access: "public", limited: true, isFeed: true } as const;

export const feedRoutes: Mount = (app, program) => {
  const { baseUrl } = program;
  const send = (request: FastifyRequest, reply: FastifyReply, format: Format, subjectIn: SubjectIn) =>
    answer(request, reply, async (db) => {
      const source = sourceOf({ ...program, db });
      const subject = await subjectIn(source);
      const asked = { subject, suffix: format.suffix, given: request.given, baseUrl };
      const feed = await feeds.read(source, asked);
      return { body: format.write(feed), type: `${format.type}; charset=utf-8` };
    });
  for (const format of [RSS, ...OTHERS]) {
    app.get(
      `/feed${format.suffix}`,
      { config, schema: { hide: true, querystring: FeedPage } },
      (request, reply) => send(request, reply, format, async () => community()),
    );
    app.get(
      `/feed/search${format.suffix}`,
      { config, schema: { hide: true, querystring: SearchFeed } },
      (request, reply) => {
        const { q, tag, top } = request.query;
        return send(request, reply, format, async () => searched({ q, tag, top }));
      },
    );
  }
  const named = { config, schema: { hide: true, params: FeedName, querystring: FeedPage } };
  app.get("/feed/tag/:name", named, (request, reply) => {
    const { name, format } = readName(request.params.name);
    return send(request, reply, format, async ({ db }) => {
      const tag = await tags.find(db, name);
      if (tag === undefined) throw notFound();
      return tagged(tag.name);
    });
  });
  app.get("/feed/:name", named, (request, reply) => {
    const { name, format } = readName(request.params.name);
    return send(request, reply, format, async ({ db }) => {
      const found = await findPublisher(db, name);
      if (found === undefined) throw notFound();
      return publishedBy(found, baseUrl);
    });
  });
};

type SubjectIn = (source: ListSource) => Promise<SubjectWithFeed>;

function readName(text: string): { name: string; format: Format } {
  const format = OTHERS.find(({ suffix }) => text.endsWith(suffix)) ?? RSS;
  return { name: text.slice(0, text.length - format.suffix.length), format };
}
