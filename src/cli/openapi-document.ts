import { createViewCounter } from "../analytics/counting.ts";
import { Kysely, PostgresDialect } from "kysely";
import { buildApp } from "../app.ts";
import { createFragments } from "../cache/fragments.ts";
import { createFreshness } from "../cache/fresh.ts";
import { readConfig } from "../config.ts";
import type { DB } from "../db/tables.ts";
import { createFeedReader } from "../feed-reading/feed-reader.ts";
import { createDisk } from "../files/disk.ts";
import { createFiles } from "../files/files.ts";
import { createImages } from "../images/images.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createNet } from "../net/net.ts";
import { createRenderPool } from "../text/render-pool.ts";
import { createLatePool } from "./late-pool.ts";

/** The description of the API. Asks no database and depends on no setting of the process. */
export async function openapiText(): Promise<string> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: createLatePool() }) });
  const config = { ...readConfig({}), logLevel: "silent" };
  const services = {
    fresh: createFreshness([db]),
    fragments: createFragments(),
    renderPool: createRenderPool(),
    images: createImages(),
    feedReader: createFeedReader(),
    net: createNet(config),
    views: createViewCounter(),
    metrics: createMetrics(),
    disk: createDisk(0),
  };
  const app = await buildApp(
    {
      config,
      db: { main: db, replica: db, slow: db, jobs: db },
      files: createFiles(config.dataDir),
      now: () => new Date(),
    },
    services,
  );
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await services.renderPool.close();
  }
}
