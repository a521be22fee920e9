import * as articleView from "../articles/view.ts";
import type { NotificationRow } from "./queries.ts";

/** A notification as JSON shows it. */
export function notification(row: NotificationRow) {
  const { id, kind, created_at, read_at, article_id, title, slug, author, organization } = row;
  return {
    id: Number(id),
    kind,
    created_at: timestamp(created_at),
    read_at: read_at && timestamp(read_at),
    article_id,
    title,
    path: articleView.pathOf({
      slug,
      user: { username: author },
      organization: organization === null ? null : { username: organization },
    }),
  };
}

/** ISO 8601 in UTC with whole seconds. */
function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
