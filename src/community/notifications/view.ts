import { idCode } from "../comments/id-codes.ts";
import { APPLICATIONS, SESSIONS, apiPath, pathUnder, profilePath } from "../../platform/paths.ts";
import { timestamp } from "../../platform/text/dates.ts";
import type { NotificationRow } from "./list-queries.ts";
import type { Notification } from "./schema.ts";

export function notification(row: NotificationRow): Notification {
  const { id, kind, created_at, read_at } = row;
  return {
    id: Number(id),
    kind,
    created_at: timestamp(created_at),
    read_at: read_at && timestamp(read_at),
    ...subjectIn(row),
  };
}

/** The words between the name of the actor and the title of the article or episode. */
export function wordsOf({ kind, comment_id }: Pick<NotificationRow, "kind" | "comment_id">): string {
  if (kind === "comment") return "commented on";
  if (kind === "reply") return "replied to your comment on";
  if (kind === "mention") return comment_id === null ? "mentioned you in" : "mentioned you in a comment on";
  return "published";
}

function subjectIn(row: NotificationRow) {
  const { article_id, comment_id, webhook_id, target_url, notice } = row;
  if (notice !== null)
    return { title: notice, path: row.path ?? (row.kind === "application" ? APPLICATIONS : SESSIONS) };
  if (webhook_id !== null) return { title: target_url ?? "", path: apiPath("webhooks", webhook_id) };
  const comment = comment_id === null ? {} : { id_code: idCode(comment_id) };
  if (article_id !== null) return { article_id, ...comment, ...articleIn(row) };
  return comment_id === null ? personIn(row) : { ...comment, ...episodeIn(row) };
}

function episodeIn({ episode_title, podcast_slug, episode_slug }: NotificationRow) {
  return { title: episode_title ?? "", path: pathUnder(podcast_slug ?? "", episode_slug ?? "") };
}

function articleIn({ title, slug, author, organization }: NotificationRow) {
  return { title: title ?? "", path: pathUnder(organization ?? author ?? "", slug ?? "") };
}

function personIn({ actor, actor_name }: NotificationRow) {
  return { title: actor_name ?? "", path: profilePath(actor ?? "") };
}
