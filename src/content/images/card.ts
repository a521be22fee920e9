export interface Card {
  title: string;
  byline: string;
  site: string;
  authorId: number;
}

/** A change invalidates the stored cards. */
export const CARD_VERSION = 1;
