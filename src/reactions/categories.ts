export const CATEGORIES = [
  "like",
  "unicorn",
  "exploding_head",
  "raised_hands",
  "fire",
  "readinglist",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The statuses of a saved article; archived ones are kept but not listed. */
export const STATUSES = ["valid", "invalid", "confirmed", "archived"] as const;
