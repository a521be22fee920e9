import type { Fragments } from "./cache/fragments.ts";
import type { Freshness } from "./cache/fresh.ts";
import type { Config } from "./config.ts";
import type { Databases } from "./db/connect.ts";
import type { FeedReader } from "./feed-reading/feed-reader.ts";
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

/** What one process owns and shares among its requests and jobs. Verbs of the domains never see it. */
export interface Engine {
  fresh: Freshness;
  fragments: Fragments;
  renderPool: RenderPool;
  images: Images;
  feedReader: FeedReader;
  net: Net;
  metrics: Metrics;
}
