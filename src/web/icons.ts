/** The icons of the site, by their names in lucide; the build makes one sprite of them. */
export const ICONS = [
  "arrow-left",
  "arrow-right",
  "calendar",
  "chevron-down",
  "code-xml",
  "heart",
  "link",
  "map-pin",
  "menu",
  "message-circle",
  "moon",
  "play",
  "rss",
  "search",
  "sun",
] as const;

export type IconName = (typeof ICONS)[number];
