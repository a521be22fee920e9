import { RENDERER_VERSION } from "../../src/jobs/rerender.ts";
import { type Random, shuffle } from "../corpus/random.ts";
import { type Making, tagName } from "./accounts.ts";
import { dateOf, FIXED, memberCount, memberOf, type Shape } from "./shape.ts";

/**
 * One of this many articles has a video; of those without a fixed number of comments, one of this many had comments
 * that were deleted.
 */
const WITH_VIDEO = 10;
const UNPUBLISHED = 50;

/** How much of everything belongs to a large organization, and how much to the small ones together. */
const LARGE_SHARE = 0.1;
const SMALL_SHARE = 0.2;

const ARTICLE_WORDS = 40;
const COMMENT_WORDS = 15;
const LISTING_WORDS = 20;
const MOST_TAGS = 4;
const CATEGORIES = 11;
const DAY_MS = 86_400_000;

/** The first articles are those with a known number of comments. */
const FIXED_ARTICLES = FIXED.busy.articles + FIXED.quiet.articles;

export function* articles(making: Making): Generator<object> {
  const { shape, random, until } = making;
  for (let id = 1; id <= shape.articles; id += 1) {
    const organization = drawOrganization(shape, random);
    const author = organization
      ? memberOf(shape, organization, random.between(0, memberCount(shape, organization) - 1))
      : random.between(1, shape.users);
    const date = dateOf(id, shape.articles, until);
    yield {
      id,
      author_id: author,
      organization_id: organization,
      slug: `article-${id}`,
      title: words(making, 5),
      description: words(making, 12),
      ...body(words(making, ARTICLE_WORDS)),
      tag_list: tagsOf(making),
      ...videoOf(id),
      reading_time_minutes: 1,
      state: id > FIXED_ARTICLES && id % UNPUBLISHED === 0 ? "unpublished" : "published",
      published_at: date,
      created_at: date,
      ...COUNTED_LATER,
    };
  }
}

const COUNTED_LATER = {
  comments_count: 0,
  reactions_count: 0,
  imported_reactions_count: 0,
  imported_page_views_count: 0,
  points: 0,
};

function drawOrganization({ organizations }: Shape, random: Random): number | null {
  const draw = random.next();
  const large = Math.floor(draw / LARGE_SHARE) + 1;
  if (large <= FIXED.largeOrganizations) return large;
  if (draw > FIXED.largeOrganizations * LARGE_SHARE + SMALL_SHARE) return null;
  return random.between(FIXED.largeOrganizations + 1, organizations);
}

function videoOf(id: number): object {
  const has = id % WITH_VIDEO === 0;
  return {
    video_source_url: has ? `https://videos.example/${id}.m3u8` : null,
    video_thumbnail_url: has ? `https://videos.example/${id}.jpg` : null,
    video_duration_seconds: has ? 60 + (id % 600) : null,
  };
}

/** In the order in which people wrote them, so that those of one article lie apart. */
export function* comments(making: Making): Generator<object> {
  const { shape, random, until } = making;
  const written = new Map<number, number[]>();
  for (const [index, article] of articlesCommented(making).entries()) {
    const id = index + 1;
    const before = written.get(article) ?? [];
    const isAnswer = before.length > 0 && random.next() < 0.5;
    yield {
      id,
      article_id: article,
      parent_id: isAnswer ? random.pick(before) : null,
      author_id: random.between(1, shape.users),
      ...body(words(making, COMMENT_WORDS)),
      deleted: random.next() < 0.02,
      hidden: random.next() < 0.01,
      points: 1,
      reactions_count: 0,
      created_at: dateOf(id, shape.comments, until),
    };
    before.push(id);
    written.set(article, before);
  }
}

/** The article of each comment; of those without a fixed number the first have the most. */
function articlesCommented({ shape, random }: Making): number[] {
  const { busy, quiet } = FIXED;
  const fixed = Array.from({ length: FIXED_ARTICLES }, (_, index) =>
    Array.from({ length: index < busy.articles ? busy.comments : quiet.comments }, () => index + 1),
  ).flat();
  const others = Array.from({ length: shape.comments - fixed.length }, () =>
    skewed(random, FIXED_ARTICLES + 1, shape.articles),
  );
  return shuffle(random, [...fixed, ...others]);
}

/** A number between these, the low ones more often. */
export function skewed(random: Random, from: number, to: number): number {
  return from + Math.floor(random.next() ** 2 * (to - from + 1));
}

/** Of ten listings two have expired, one isn't published, and three will expire. */
export function* listings(making: Making): Generator<object> {
  const { shape, random, until } = making;
  const inDays = (days: number) => new Date(until.getTime() + days * DAY_MS).toISOString();
  for (let id = 1; id <= shape.listings; id += 1) {
    const fate = random.between(0, 9);
    const date = dateOf(id, shape.listings, until);
    const expiry = fate < 2 ? inDays(-1) : inDays(random.between(100, 400));
    yield {
      id,
      author_id: random.between(1, shape.users),
      organization_id: drawOrganization(shape, random),
      category_id: random.between(1, CATEGORIES),
      slug: `listing-${id}`,
      title: words(making, 4),
      ...body(words(making, LISTING_WORDS)),
      tag_list: tagsOf(making),
      published: fate !== 2,
      expires_at: fate < 6 && fate !== 2 ? expiry : null,
      bumped_at: date,
      created_at: date,
    };
  }
}

function tagsOf({ shape, random, vocabulary }: Making): string[] {
  const ids = Array.from({ length: random.between(1, MOST_TAGS) }, () => skewed(random, 1, shape.tags));
  return [...new Set(ids)].map((id) => tagName(id, vocabulary));
}

/** Common words only: what search knows of them is no matter here, and is soon written. */
const COMMON = 2_000;

function words({ random, vocabulary }: Making, count: number): string {
  return Array.from({ length: count }, () => vocabulary[skewed(random, 0, COMMON)]).join(" ");
}

/** A text that the renderer leaves as it is. */
function body(text: string): object {
  return {
    body_markdown: text,
    body_html: `<p>${text}</p>\n`,
    renderer_version: RENDERER_VERSION,
  };
}
