import { type Static, Type } from "typebox";
import {
  count,
  idParameter,
  listPage,
  orNull,
  text,
  textOrNull,
  timestamp,
  withWarnings,
} from "../../http/schema.ts";
import { Owner } from "../organizations/schema.ts";
import { Author, AUTHOR_EXAMPLE } from "../users/schema.ts";

export const Listing = Type.Object(
  {
    type_of: Type.Literal("listing", { description: "The type of the resource." }),
    id: count("The id of the listing."),
    title: text("The title."),
    slug: text("The listing's name in URLs."),
    body_markdown: text("The body as Markdown."),
    category: text("The slug of the category."),
    processed_html: text("The body as sanitised HTML."),
    published: Type.Boolean({ description: "Whether the listing is published." }),
    listing_category_id: count("The id of the category."),
    tag_list: text("The tags, separated by a comma and a space."),
    tags: Type.Array(Type.String(), { description: "The tags." }),
    location: textOrNull("The place that the listing is about."),
    expires_at: orNull(timestamp("When the listing expires and disappears from lists.")),
    created_at: timestamp("When the listing was created."),
    user: Author,
    organization: Type.Optional(Owner),
  },
  { title: "Listing", description: "A classified listing." },
);
export type Listing = Static<typeof Listing>;

export const WrittenListing = withWarnings(
  Listing,
  "WrittenListing",
  "A listing after a write, with warnings if there are any.",
);

const page = listPage({ default: 30, max: 1000 });

/** An unknown category has no listings. */
const category = Type.Optional(
  Type.String({
    description: "Only listings in the category with this slug.",
    examples: ["events"],
    "x-any-text": true,
  }),
);

export const ListingList = Type.Object({ ...page, category });
export type ListingList = Static<typeof ListingList>;

export const CategoryList = Type.Object(page);
export const CategorySlug = Type.Object({
  category: Type.String({ description: "The slug of the category.", examples: ["events"] }),
});
export const ListingId = Type.Object({ id: idParameter("The id of the listing.", 1) });

export const LISTING_EXAMPLE: Listing = {
  type_of: "listing",
  id: 1,
  title: "Repair night needs one more pair of hands",
  slug: "repair-night-needs-one-more-pair-of-hands-2f1",
  body_markdown: "Every second Thursday, **19 to 22**, tea included.",
  category: "collabs",
  processed_html: "<p>Every second Thursday, <strong>19 to 22</strong>, tea included.</p>\n",
  published: true,
  listing_category_id: 1,
  tag_list: "repair, beginners",
  tags: ["repair", "beginners"],
  location: "Tbilisi",
  expires_at: "2026-09-01T00:00:00Z",
  created_at: "2026-03-01T08:00:00Z",
  user: AUTHOR_EXAMPLE,
};
