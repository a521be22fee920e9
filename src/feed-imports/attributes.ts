import { FIELDS } from "../articles/fields.ts";
import { accepts } from "../fields/fields.ts";
import { parseTagList } from "../text/tags.ts";

// Attributes of articles, made of what other sites have in their place.

const MAX_TITLE = 128;
const MAX_TAGS = 4;

/** A text on one line, at most as long as a title. */
export function titleOf(text: string): string {
  const line = text
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const characters = Array.from(line.slice(0, MAX_TITLE * 2 + 2));
  if (characters.length <= MAX_TITLE) return line;
  const kept = characters.slice(0, MAX_TITLE - 1).join("");
  const end = kept.lastIndexOf(" ");
  return `${(end > MAX_TITLE / 2 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

/** The first categories that can be tags. */
export function fittingTags(categories: readonly string[]): string[] {
  const names = parseTagList(categories.map((category) => category.replace(/^#+/, "")));
  return names.filter((name) => accepts(FIELDS.tags, [name])).slice(0, MAX_TAGS);
}

/** An address that an article can have; null for another text. */
export function addressOf(name: "canonical_url" | "main_image", address: string | undefined): string | null {
  return address !== undefined && accepts(FIELDS[name], address) ? address : null;
}
