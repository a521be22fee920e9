import { AUTHOR_EXAMPLE } from "../users/example.ts";
import type { Listing } from "./schema.ts";

export const LISTING_EXAMPLE: Listing = {
  type_of: "listing",
  id: 55,
  title: "Loom conference",
  slug: "loom-conference-2f1",
  body_markdown: "Come weave",
  category: "cfp",
  processed_html: "<p>Come weave</p>\n",
  published: true,
  listing_category_id: 1,
  tag_list: "events, weaving",
  tags: ["events", "weaving"],
  location: "Bilbao",
  expires_at: "2026-09-01T00:00:00Z",
  created_at: "2026-03-01T08:00:00Z",
  user: AUTHOR_EXAMPLE,
};
