import { type Static, Type } from "typebox";
import { idParameter, listPage, orNull, Timestamp } from "../http/schema.ts";
import { Owner } from "../organizations/schema.ts";
import { Author } from "../users/schema.ts";

/** A classified advertisement. */
export const Listing = Type.Object(
  {
    type_of: Type.Literal("listing"),
    id: Type.Integer(),
    title: Type.String(),
    slug: Type.String(),
    body_markdown: Type.String(),
    category: Type.String({ description: "The slug of its category." }),
    processed_html: Type.String({ description: "The body as safe HTML." }),
    published: Type.Boolean(),
    listing_category_id: Type.Integer({ description: "The number of its category." }),
    tag_list: Type.String({ description: "The tags joined with a comma and a space." }),
    tags: Type.Array(Type.String()),
    location: orNull(Type.String()),
    expires_at: orNull(Timestamp),
    created_at: Timestamp,
    user: Author,
    organization: Type.Optional(Owner),
  },
  { title: "Listing" },
);
export type Listing = Static<typeof Listing>;

const page = listPage({ default: 30, max: 1000 });

/** A name of no category is the name of nothing. */
const category = Type.Optional(
  Type.String({ description: "Only listings of the category with this slug.", "x-any-text": true }),
);

export const ListingList = Type.Object({ ...page, category });
export type ListingList = Static<typeof ListingList>;

export const CategoryList = Type.Object(page);
export const CategorySlug = Type.Object({
  category: Type.String({ description: "The slug of a category.", examples: ["events"] }),
});
export const ListingId = Type.Object({ id: idParameter("The number of the listing.") });
