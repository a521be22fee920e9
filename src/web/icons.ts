/** The icons of the site, by their names in lucide; the build makes one sprite of them. */
export const ICONS = [
  "archive",
  "arrow-left",
  "arrow-right",
  "bookmark",
  "building-2",
  "calendar",
  "chevron-right",
  "clock",
  "code-xml",
  "heart",
  "link",
  "map-pin",
  "menu",
  "message-circle",
  "mic",
  "moon",
  "play",
  "rss",
  "search",
  "sun",
  "tag",
  "user",
  "video",
] as const;

export type IconName = (typeof ICONS)[number];
