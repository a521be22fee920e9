import { FIELDS } from "../articles/fields.ts";
import { accepts } from "../fields/fields.ts";
import type { FeedItem } from "../feed-parser/feed.ts";
import { parseTagList } from "../text/tags.ts";
import { withoutTracking } from "./addresses.ts";
import type { Converted } from "./to-markdown.ts";

const MAX_TITLE = 128;
const MAX_TAGS = 4;

export function draftOf(
  item: FeedItem,
  { title, markdown, text }: Converted,
  { publish }: { publish: boolean },
): Record<string, unknown> {
  return {
    title: shortened(title) || shortened(text),
    body_markdown: markdown,
    published: publish,
    tags: tagsOf(item.categories),
    canonical_url: canonicalUrlOf(item),
    main_image: pictureOf(item),
  };
}

/** A text on one line, at most as long as a title. */
export function shortened(text: string): string {
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

function tagsOf(categories: readonly string[]): string[] {
  const names = parseTagList(categories.map((category) => category.replace(/^#+/, "")));
  return names.filter((name) => accepts(FIELDS.tags, [name])).slice(0, MAX_TAGS);
}

function canonicalUrlOf({ url }: FeedItem): string | null {
  if (url === undefined) return null;
  const address = withoutTracking(url);
  return accepts(FIELDS.canonical_url, address) ? address : null;
}

function pictureOf({ imageUrl }: FeedItem): string | null {
  return imageUrl !== undefined && accepts(FIELDS.main_image, imageUrl) ? imageUrl : null;
}
