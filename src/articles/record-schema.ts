import { type Static, Type } from "typebox";
import { MAX_RECORD_ID } from "../records/identity.ts";

const Text = Type.String();
const Moment = Type.String({ format: "date-time" });
/** What comes later is added to these numbers, and the sum must fit 32 bits. */
export const MAX_BROUGHT = 1_000_000_000;
const Count = Type.Integer({ minimum: 0, maximum: MAX_BROUGHT });

/** An article in a community file. */
export const ArticleRecord = Type.Object({
  slug: Type.Optional(Type.String({ minLength: 1 })),
  author: Text,
  title: Text,
  body_markdown: Text,
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  organization: Type.Optional(Text),
  description: Type.Optional(Text),
  tags: Type.Optional(Type.Array(Text)),
  series: Type.Optional(Text),
  canonical_url: Type.Optional(Text),
  main_image: Type.Optional(Text),
  published: Type.Optional(Type.Boolean()),
  published_at: Type.Optional(Moment),
  first_published_at: Type.Optional(Moment),
  created_at: Type.Optional(Moment),
  edited_at: Type.Optional(Moment),
  crossposted_at: Type.Optional(Moment),
  video_source_url: Type.Optional(Text),
  video_thumbnail_url: Type.Optional(Text),
  video_duration_seconds: Type.Optional(Count),
  imported_reactions_count: Type.Optional(Count),
  imported_page_views_count: Type.Optional(Count),
  score: Type.Optional(Type.Integer({ minimum: -MAX_BROUGHT, maximum: 2 * MAX_BROUGHT })),
});
export type ArticleRecord = Static<typeof ArticleRecord>;
