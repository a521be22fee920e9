/** What stands on the card of an article. */
export interface Card {
  title: string;
  /** Who wrote it. */
  byline: string;
  /** The name of the site. */
  site: string;
  authorId: number;
}

/** Moves when cards look otherwise, so that nobody goes on showing the old ones. */
export const CARD_VERSION = 1;
