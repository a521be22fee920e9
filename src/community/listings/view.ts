import * as organizationView from "../organizations/view.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as userView from "../users/view.ts";
import type { ListingRow } from "./queries.ts";
import type { Listing } from "./schema.ts";

export function listing(row: ListingRow, baseUrl: string): Listing {
  return {
    type_of: "listing",
    id: row.id,
    title: row.title,
    slug: row.slug,
    body_markdown: row.body_markdown,
    category: row.category,
    processed_html: row.body_html,
    published: row.published,
    listing_category_id: row.category_id,
    tag_list: row.tag_list.join(", "),
    tags: row.tag_list,
    location: row.location,
    expires_at: row.expires_at && timestamp(row.expires_at),
    created_at: timestamp(row.created_at),
    user: userView.author(row.user, baseUrl),
    ...(row.organization && { organization: organizationView.owner(row.organization, baseUrl) }),
  };
}
