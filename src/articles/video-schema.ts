import { type Static, Type } from "typebox";
import { listPage, Url } from "../http/schema.ts";

/** An article with a video. */
export const VideoArticle = Type.Object(
  {
    type_of: Type.Literal("video_article"),
    id: Type.Integer(),
    path: Type.String({ description: "`/` organization or author `/` slug." }),
    cloudinary_video_url: Type.String({ format: "uri", description: "The preview picture." }),
    title: Type.String(),
    user_id: Type.Integer(),
    video_duration_in_minutes: Type.String({
      description: "Like `5:09`, or `1:02:03` from an hour on; `0:00` when nobody said.",
    }),
    video_source_url: Url,
    user: Type.Object({ name: Type.String() }),
  },
  { title: "VideoArticle" },
);
export type VideoArticle = Static<typeof VideoArticle>;

export const VideoList = Type.Object({
  ...listPage({ default: 24, max: 1000 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: "Where to go on: from the `next` link of the page before." }),
  ),
});
export type VideoList = Static<typeof VideoList>;
