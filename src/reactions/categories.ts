/** What somebody can say of an article or a comment; `readinglist` is kept to be read later. */
export const CATEGORIES = [
  "like",
  "unicorn",
  "exploding_head",
  "raised_hands",
  "fire",
  "readinglist",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Of a mark on a reading list: what is archived is kept, but not listed. */
export const STATUSES = ["valid", "invalid", "confirmed", "archived"] as const;
