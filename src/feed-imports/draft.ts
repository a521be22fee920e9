import { isHttpUrl, checkCanonicalUrl } from "../text/urls.ts";
import type { FeedItem } from "../feed-parser/feed.ts";
import { checkTags, parseTagList } from "../text/tags.ts";
import { withoutTracking } from "./addresses.ts";
import type { Converted } from "./to-markdown.ts";

const MAX_TITLE = 128;
const MAX_TAGS = 4;
const MAX_PICTURE_BYTES = 2000;

/** What an article is asked to be that an item becomes: nothing else of a feed decides about it. */
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

/** On one line and as long as a title may be. */
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

/** Those categories that can be tags as they are. */
function tagsOf(categories: readonly string[]): string[] {
  const names = parseTagList(categories.map((category) => category.replace(/^#+/, "")));
  return names.filter((name) => isFine(() => checkTags([name]))).slice(0, MAX_TAGS);
}

/** The URL of the item, if an article may have it. */
function canonicalUrlOf({ url }: FeedItem): string | null {
  if (url === undefined) return null;
  const address = withoutTracking(url);
  return isFine(() => checkCanonicalUrl(address)) ? address : null;
}

function pictureOf({ imageUrl }: FeedItem): string | null {
  const isPicture = imageUrl !== undefined && isHttpUrl(imageUrl);
  return isPicture && Buffer.byteLength(imageUrl) <= MAX_PICTURE_BYTES ? imageUrl : null;
}

function isFine(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
