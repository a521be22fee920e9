import { type Static, Type } from "typebox";
import { MAX_RECORD_ID } from "../records/identity.ts";

/** The limit of the column. */
export const MAX_GUID = 500;

const Text = Type.String();
const Id = Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID });

export const PodcastRecord = Type.Object({
  slug: Text,
  title: Type.String({ minLength: 1, maxLength: 200 }),
  id: Type.Optional(Id),
  owner: Type.Optional(Text),
  description: Type.Optional(Text),
  image_url: Type.Optional(Text),
  website_url: Type.Optional(Text),
  feed_url: Type.Optional(Text),
  published: Type.Optional(Type.Boolean({ default: true })),
});
export type PodcastRecord = Static<typeof PodcastRecord>;

export const EpisodeRecord = Type.Object({
  podcast: Text,
  slug: Type.String({
    pattern: "^[0-9a-z_-]{1,255}$",
    description: "of the letters a-z, digits, - and _",
  }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  media_url: Text,
  id: Type.Optional(Id),
  summary: Type.Optional(Text),
  image_url: Type.Optional(Text),
  published_at: Type.Optional(Type.String({ format: "date-time" })),
  duration_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  reachable: Type.Optional(Type.Boolean({ default: true })),
  guid: Type.Optional(Type.String({ maxLength: MAX_GUID })),
});
export type EpisodeRecord = Static<typeof EpisodeRecord>;
