import { createZipf, type Random } from "./random.ts";
import { capitalise } from "./words.ts";

/** Draws who and what an article is about, the busy ones often. */
export interface People {
  /** An organization is always one that the author is a member of. */
  author(): { author: string; organization?: string };
  /** One to four tags. */
  tags(): string[];
}

interface Options {
  articles: number;
  random: Random;
  vocabulary: readonly string[];
}

/** Of the articles of organization members, how many belong to the organization. */
const ORGANIZATION_SHARE = 0.5;

const MEMBERS = 5;

/** The tags of a corpus, the most used first. */
export function tagNames(articles: number, vocabulary: readonly string[]): string[] {
  const count = Math.min(5_000, Math.max(20, Math.round(articles / 50)));
  // Away from the most frequent words, so that a search for a tag's name finds more than its articles, but not all.
  return vocabulary.slice(1_000, 1_000 + count);
}

/** Who has written the most. */
export function busiestAuthor(vocabulary: readonly string[]): string {
  return username(0, vocabulary);
}

/** The records that articles refer to. */
export function* writePeople({ articles, random, vocabulary }: Options): Generator<object> {
  const name = () => `${capitalise(random.pick(vocabulary))} ${capitalise(random.pick(vocabulary))}`;
  for (let number = 0; number < userCount(articles); number += 1) {
    yield { type: "user", username: username(number, vocabulary), name: name() };
  }
  for (let number = 0; number < organizationCount(articles); number += 1) {
    const members = Array.from({ length: MEMBERS }, (_, place) => ({
      username: username(number * MEMBERS + place, vocabulary),
      role: place === 0 ? "admin" : "member",
    }));
    yield { type: "organization", username: organizationName(number, vocabulary), name: name(), members };
  }
  for (const tag of tagNames(articles, vocabulary)) yield { type: "tag", name: tag };
}

export function createPeople({ articles, random, vocabulary }: Options): People {
  const authorPlace = createZipf(random, userCount(articles));
  const tags = tagNames(articles, vocabulary);
  const tagPlace = createZipf(random, tags.length);
  return {
    author() {
      const number = authorPlace();
      const author = username(number, vocabulary);
      const employer = Math.floor(number / MEMBERS);
      const isMember = employer < organizationCount(articles);
      if (!isMember || random.next() >= ORGANIZATION_SHARE) return { author };
      return { author, organization: organizationName(employer, vocabulary) };
    },
    tags() {
      const wanted = random.between(1, 4);
      const chosen = new Set<string>();
      while (chosen.size < wanted) chosen.add(tags[tagPlace()] as string);
      return [...chosen];
    },
  };
}

function userCount(articles: number): number {
  return Math.max(20, Math.ceil(articles / 50));
}

/** Few enough that there are five users for each. */
function organizationCount(articles: number): number {
  return Math.min(100, Math.max(3, Math.round(articles / 1_000)));
}

/** The number makes it unique, and different from every reserved name. */
function username(number: number, vocabulary: readonly string[]): string {
  return `${vocabulary[(number + 10_000) % vocabulary.length] as string}${number}`;
}

function organizationName(number: number, vocabulary: readonly string[]): string {
  return `org_${vocabulary[number + 20_000] as string}${number}`;
}
