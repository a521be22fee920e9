import type { IncomingHttpHeaders } from "node:http";
import type { Fragments, ResponseCache } from "./platform/cache.ts";
import type { Config } from "./platform/config.ts";
import type { MailServer } from "./platform/config/mail.ts";
import type { Databases, Db } from "./platform/db/connect.ts";
import type { FeedReader } from "./content/feeds/feed-reader.ts";
import type { Room } from "./platform/files/disk.ts";
import type { Files } from "./platform/files/files.ts";
import type { Images } from "./content/images/images.ts";
import type { Jobs } from "./platform/jobs/runner.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import type { Net } from "./platform/net/net.ts";
import type { SearchMemory } from "./search/index/memory.ts";
import type { RenderPool } from "./content/text/render-pool.ts";

/** Built once at start and passed explicitly. */
export interface Context {
  config: Config;
  db: Databases;
  files: Files;
  now: () => Date;
}

/** What jobs get of the process that does them. */
export interface JobContext {
  db: Db;
  services: Services;
  files: Files;
  baseUrl: string;
  /** Undefined where mail isn't set up. */
  mail?: MailServer | undefined;
  now: () => Date;
  /** Gets the failure of one of several pieces, while the others go on. */
  onFailure: (error: unknown) => void;
}

export type JobsOf = (context: JobContext) => Jobs;

/** Shared by requests and jobs. Verbs and lists of the domain take the parts that they need. */
export interface Services {
  cache: ResponseCache;
  fragments: Fragments;
  renderPool: RenderPool;
  searchMemory: SearchMemory;
  images: Images;
  feedReader: FeedReader;
  net: Net;
  views: ViewCounter;
  metrics: Metrics;
  disk: Room;
  /** Aborted when the server has been told to stop, and takes no new clients from then on. */
  stopping: AbortController;
}

export interface ArticleRead {
  articleId: number;
  authorId: number;
  viewerId: number | undefined;
  address: string;
  headers: IncomingHttpHeaders;
  at: Date;
}

export interface ViewCounter {
  note(read: ArticleRead): void;
  /** Keeps views that can't be stored. `warn` reports dropped views. */
  write(db: Db, warn: (line: string) => void): Promise<void>;
  readonly waiting: number;
}
