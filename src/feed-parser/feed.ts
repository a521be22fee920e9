import { FetchProblem } from "../fetches/fetch-problem.ts";

/** What any format of feed says. Addresses are absolute, and of http or https; texts can be stored. */
export interface Feed {
  format: "rss" | "atom" | "json";
  /** Empty when it has none. */
  title: string;
  /** HTML of unknown origin, as those of items are. */
  description?: string | undefined;
  /** Of the site that the feed belongs to. */
  link?: string | undefined;
  imageUrl?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
  /** Where it says that it has gone for good. */
  movedTo?: string | undefined;
  items: FeedItem[];
}

export interface FeedItem {
  guid?: string | undefined;
  url?: string | undefined;
  title?: string | undefined;
  /** The whole content. What is relative in it starts from `url`. */
  html?: string | undefined;
  /** What is shown in its place; in RSS often the whole content too. */
  summary?: string | undefined;
  author?: string | undefined;
  publishedAt?: Date | undefined;
  updatedAt?: Date | undefined;
  categories: string[];
  imageUrl?: string | undefined;
  enclosure?: Enclosure | undefined;
  durationSeconds?: number | undefined;
}

export interface Enclosure {
  url: string;
  type?: string | undefined;
  /** In bytes. */
  length?: number | undefined;
}

/** Why something can't be read as a feed, in a sentence for people. */
export class FeedProblem extends FetchProblem {
  override name = "FeedProblem";
}
