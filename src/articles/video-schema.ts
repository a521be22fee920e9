import { type Static, Type } from "typebox";
import { count, listPage, text, url } from "../http/schema.ts";

/** An article with a video. */
export const VideoArticle = Type.Object(
  {
    type_of: Type.Literal("video_article", { description: "The type of the resource." }),
    id: count("The id of the article."),
    path: text("`/{username}/{slug}`, with the username of the organization or else of the author."),
    cloudinary_video_url: url("The URL of the preview image."),
    title: text("The title of the article."),
    user_id: count("The id of the author."),
    video_duration_in_minutes: text(
      "The duration: `5:09`, or `1:02:03` for an hour and more. `0:00` when unknown.",
    ),
    video_source_url: url("The URL of the video."),
    user: Type.Object({ name: text("The display name.") }, { description: "The author." }),
  },
  { title: "VideoArticle", description: "An article with a video, in a list." },
);
export type VideoArticle = Static<typeof VideoArticle>;

export const VideoList = Type.Object({
  ...listPage({ default: 24, max: 1000 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: "The position to continue from; part of the `next` link." }),
  ),
});
export type VideoList = Static<typeof VideoList>;
