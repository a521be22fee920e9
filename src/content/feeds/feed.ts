import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";

/** A feed of any format. Addresses are absolute, and of http or https; texts can be stored. */
export interface Feed {
  title: string;
  /** HTML of unknown origin, like that of items. */
  description?: string | undefined;
  link?: string | undefined;
  imageUrl?: string | undefined;
  /** The new address that it gives for itself. */
  movedTo?: string | undefined;
  items: FeedItem[];
}

export interface FeedItem {
  guid?: string | undefined;
  url?: string | undefined;
  title?: string | undefined;
  /** The whole content. Relative addresses in it start from `url`. */
  html?: string | undefined;
  /** RSS often has the whole content here. */
  summary?: string | undefined;
  publishedAt?: Date | undefined;
  /** A text in the place of the date. */
  unreadableDate?: string | undefined;
  categories: string[];
  imageUrl?: string | undefined;
  enclosure?: Enclosure | undefined;
  durationSeconds?: number | undefined;
}

export interface Enclosure {
  url: string;
  type?: string | undefined;
  length?: number | undefined;
}

export class FeedProblem extends FetchProblem {
  override name = "FeedProblem";
}
