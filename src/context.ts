import type { IncomingHttpHeaders } from "node:http";
import type { Fragments } from "./cache/fragments.ts";
import type { Freshness } from "./cache/fresh.ts";
import type { Config } from "./config.ts";
import type { Databases, Db } from "./db/connect.ts";
import type { FeedReader } from "./feed-parser/feed-reader.ts";
import type { Disk } from "./files/disk.ts";
import type { Files } from "./files/files.ts";
import type { Images } from "./images/images.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Net } from "./net/net.ts";
import type { RenderPool } from "./text/render-pool.ts";

/** Everything the outside world provides. Built once, at start; passed by hand; never a global. */
export interface Context {
  config: Config;
  db: Databases;
  files: Files;
  now: () => Date;
}

/** The resources of one process, shared by its requests and jobs. Domain verbs never see it. */
export interface Services {
  fresh: Freshness;
  fragments: Fragments;
  renderPool: RenderPool;
  images: Images;
  feedReader: FeedReader;
  net: Net;
  views: ViewCounter;
  metrics: Metrics;
  disk: Disk;
}

/** Somebody was given a published article. */
export interface ArticleRead {
  articleId: number;
  authorId: number;
  /** Who reads it, if they have said so. */
  viewerId: number | undefined;
  address: string;
  headers: IncomingHttpHeaders;
  at: Date;
}

/** Counts views of articles, without keeping any reader waiting. */
export interface ViewCounter {
  note(read: ArticleRead): void;
  /** Writes what has been noted; what fails is kept for the next time. `warn` is told of what had no room. */
  write(db: Db, warn: (line: string) => void): Promise<void>;
  /** How many views aren't written. */
  readonly waiting: number;
}
