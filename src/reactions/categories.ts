export const CATEGORIES = [
  "like",
  "unicorn",
  "exploding_head",
  "raised_hands",
  "fire",
  "readinglist",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const STATUSES = ["valid", "invalid", "confirmed", "archived"] as const;
