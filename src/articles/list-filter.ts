import type { OrderName } from "./orders.ts";

/** Which published articles, in which order, and which part of them. */
export interface ListFilter {
  /** In its stored spelling; an alias stands for its tag. */
  tag?: string | undefined;
  anyTagIds?: number[] | undefined;
  noTagIds?: number[] | undefined;
  authorId?: number | undefined;
  organizationId?: number | undefined;
  collectionId?: number | undefined;
  publishedAfter?: Date | undefined;
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
  /** Bounds of the number of reactions, both included. */
  reactions?: { from: number; to: number } | undefined;
  scoreAbove?: number | undefined;
  /** Only those with a video. */
  hasVideo?: true | undefined;
  order: OrderName;
  limit: number;
  offset: number;
  /** The values of a cursor. */
  after?: readonly (string | number)[] | undefined;
}
