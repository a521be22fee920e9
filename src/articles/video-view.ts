import { pathOf } from "./view.ts";
import type { VideoRow } from "./video-queries.ts";
import type { VideoArticle } from "./video-schema.ts";

/** An article in the list of videos. */
export function video(row: VideoRow): VideoArticle {
  return {
    type_of: "video_article",
    id: row.id,
    path: pathOf(row),
    cloudinary_video_url: row.video_thumbnail_url ?? row.main_image ?? "",
    title: row.title,
    user_id: row.author_id,
    video_duration_in_minutes: duration(row.video_duration_seconds ?? 0),
    video_source_url: row.video_source_url ?? "",
    user: { name: row.user.name },
  };
}

/** Like `5:09`, and from an hour on `1:02:03`. */
export function duration(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3_600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
