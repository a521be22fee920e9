import { isDeepStrictEqual } from "node:util";
import type { FrontMatter } from "../text/front-matter.ts";
import { checkedCanonicalUrl, checkedTags, checkedTitle, checkedUrl } from "./attributes.ts";
import { Faults } from "./faults.ts";
import { type Attributes, checkedSeries } from "./requests.ts";
import type { WantedDate } from "./state.ts";

/** What a request asks for, front matter included. What is left out stays as it is. */
export interface Wanted extends Pick<
  Attributes,
  | "title"
  | "published"
  | "description"
  | "tags"
  | "main_image"
  | "canonical_url"
  | "video_source_url"
  | "series"
  | "collection_id"
  | "organization_id"
> {
  date?: WantedDate | undefined;
}

interface Source {
  attributes: Attributes;
  /** Of the body that was sent, or else of the stored one. */
  frontMatter: FrontMatter;
  isBodySent: boolean;
  warn: (sentence: string) => void;
}

/**
 * Puts attributes and front matter together: front matter wins. That of a body which isn't sent again
 * only speaks for what the attributes touch, so that nothing else moves.
 * @throws AppError invalid that names everything that is wrong with the front matter
 */
export function combine({ attributes, frontMatter, isBodySent, warn }: Source): Wanted {
  const faults = new Faults();

  /** What the front matter says of this, checked, or else the attribute. */
  function pick<T>(name: keyof Attributes, attribute: T, ruling: (() => T) | undefined): T {
    if (ruling === undefined || (!isBodySent && attribute === undefined)) return attribute;
    const value = faults.check(ruling) as T;
    if (attribute !== undefined && !isDeepStrictEqual(attribute, value)) {
      warn(`Attribute ${name} was ignored: the front matter of body_markdown decides it.`);
    }
    return value;
  }

  const { title, tags, description, canonical_url, cover_image, video, published } = frontMatter;
  const hasTitle = title !== undefined && title !== "";
  const wanted: Wanted = {
    title: pick("title", attributes.title, hasTitle ? () => checkedTitle(title) : undefined),
    published: pick("published", attributes.published, given(published)),
    // A title without a description is a fresh start: it is made from the body again.
    description: pick(
      "description",
      attributes.description,
      given(description ?? (hasTitle ? "" : undefined)),
    ),
    tags: pick("tags", attributes.tags, tags && (() => checkedTags(tags))),
    main_image: pick("main_image", attributes.main_image, optional(cover_image, pictureAt("Cover image"))),
    canonical_url: pick(
      "canonical_url",
      attributes.canonical_url,
      optional(canonical_url, checkedCanonicalUrl),
    ),
    video_source_url: pick(
      "video_source_url",
      attributes.video_source_url,
      optional(video, pictureAt("Video")),
    ),
    series: pick("series", attributes.series, optional(frontMatter.series, checkedSeries)),
    collection_id: attributes.collection_id,
    organization_id: attributes.organization_id,
    date: dateOf({ attributes, frontMatter, isBodySent, warn }),
  };
  faults.throwIfAny();
  // A body with a title says everything, also that it belongs to no series.
  const isWhole = isBodySent && hasTitle && wanted.collection_id === undefined;
  return isWhole ? { ...wanted, series: wanted.series ?? null } : wanted;
}

function given<T>(value: T | undefined): (() => T) | undefined {
  return value === undefined ? undefined : () => value;
}

function optional<T, R>(value: T | undefined, check: (value: T) => R): (() => R) | undefined {
  return value === undefined ? undefined : () => check(value);
}

function pictureAt(field: string) {
  return (url: string | null) => checkedUrl(field, url);
}

function dateOf({ attributes, frontMatter, isBodySent, warn }: Source): WantedDate | undefined {
  const asked = attributes.published_at;
  const isRuling = isBodySent || asked !== undefined || attributes.published !== undefined;
  const { published_at, date } = isRuling ? frontMatter : {};
  if (date === "unreadable") {
    warn("The date in the front matter was ignored: write it like 2026-03-02 or 2026-03-02 09:15.");
  }
  const ruling = published_at ?? (date === "unreadable" ? undefined : date);
  if (!ruling) return asked && { moment: asked, by: "attribute" };
  if (asked && asked.getTime() !== ruling.getTime()) {
    warn("Attribute published_at was ignored: the front matter of body_markdown decides it.");
  }
  return { moment: ruling, by: published_at ? "front matter" : "date" };
}
