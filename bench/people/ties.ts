import { type Random, shuffle } from "../corpus/random.ts";
import type { Making } from "./accounts.ts";
import { dateOf, FIXED, PER_USER } from "./shape.ts";
import { skewed } from "./texts.ts";

const TAGS_FOLLOWED = 2;
const ARTICLES_SAVED = 3;
const COMMENTS_LIKED = 3;
const FOLLOWS_PROMINENT = 0.8;

interface Follow {
  follower_id: number;
  followed_user_id: number | null;
  organization_id: number | null;
  tag_id: number | null;
}

/** Who follows whom and what, in the order in which they began. */
export function* follows(making: Making): Generator<object> {
  const { random, shape, until } = making;
  const all: Follow[] = [];
  for (let id = 1; id <= shape.users; id += 1) all.push(...followsOf(id, making));
  for (const [index, follow] of shuffle(random, all).entries()) {
    yield { ...follow, points: 1, created_at: dateOf(index, all.length, until) };
  }
}

function followsOf(follower: number, { random, shape }: Making): Follow[] {
  const isProminent = follower <= FIXED.prominent;
  const tags = draw(isProminent ? FIXED.tagsFollowed : TAGS_FOLLOWED, () => skewed(random, 1, shape.tags));
  const people = new Set<number>();
  for (let id = 1; id <= FIXED.prominent; id += 1) {
    if (random.next() < FOLLOWS_PROMINENT) people.add(id);
  }
  while (people.size < PER_USER - TAGS_FOLLOWED - 1) people.add(skewed(random, 1, shape.users));
  people.delete(follower);
  const none = { follower_id: follower, followed_user_id: null, organization_id: null, tag_id: null };
  return [
    { ...none, organization_id: skewed(random, 1, shape.organizations) },
    ...[...tags].map((id) => ({ ...none, tag_id: id })),
    ...[...people].map((id) => ({ ...none, followed_user_id: id })),
  ];
}

interface Reaction {
  user_id: number;
  article_id: number | null;
  comment_id: number | null;
  category: string;
}

/** Reactions and saved articles, in order. */
export function* reactions(making: Making): Generator<object> {
  const { random, shape, until } = making;
  const all: Reaction[] = [];
  for (let id = 1; id <= shape.users; id += 1) all.push(...reactionsOf(id, making));
  for (const [index, reaction] of shuffle(random, all).entries()) {
    yield { ...reaction, status: "valid", created_at: dateOf(index, all.length, until) };
  }
}

function reactionsOf(user: number, { random, shape }: Making): Reaction[] {
  const article = () => skewed(random, 1, shape.articles);
  const saved = draw(user <= FIXED.prominent ? FIXED.saved : ARTICLES_SAVED, article);
  const liked = draw(PER_USER - ARTICLES_SAVED - COMMENTS_LIKED, article);
  const comments = draw(COMMENTS_LIKED, () => random.between(1, shape.comments));
  const on = { user_id: user, article_id: null, comment_id: null };
  return [
    ...[...saved].map((id) => ({ ...on, article_id: id, category: "readinglist" })),
    ...[...liked].map((id) => ({ ...on, article_id: id, category: likeOne(random) })),
    ...[...comments].map((id) => ({ ...on, comment_id: id, category: "like" })),
  ];
}

function likeOne(random: Random): string {
  return random.pick(["like", "like", "unicorn", "fire"]);
}

/** Different numbers. */
function draw(count: number, one: () => number): Set<number> {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(one());
  return drawn;
}
