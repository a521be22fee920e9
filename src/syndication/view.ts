import * as articleView from "../articles/view.ts";
import { addressOf } from "../images/profile-picture.ts";
import { absoluteHtml } from "../text/absolute-html.ts";
import type { Entry } from "./feed.ts";
import type { EntryRow } from "./queries.ts";

/** A published article in a feed. */
export function entry(row: EntryRow, baseUrl: string): Entry {
  const { user, published_at, edited_at } = row;
  const url = baseUrl + articleView.pathOf(row);
  return {
    // The address by number leads there too, whatever becomes of slugs and names.
    id: `${baseUrl}/api/articles/${row.id}`,
    url,
    title: row.title,
    summary: row.description,
    html: row.body_html === null ? undefined : absoluteHtml(row.body_html, url),
    author: {
      name: user.name,
      url: `${baseUrl}/${user.username}`,
      picture: addressOf({ kind: "user", ...user }, 640, baseUrl),
    },
    tags: row.tag_list,
    cover: row.main_image ?? undefined,
    publishedAt: published_at,
    // What was edited before it was published is as new as its publication.
    updatedAt: edited_at !== null && edited_at > published_at ? edited_at : published_at,
  };
}
