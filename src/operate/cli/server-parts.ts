import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import { createViewCounter } from "../../community/analytics/counting.ts";
import { createFragments, createResponseCache } from "../../platform/cache.ts";
import type { Config } from "../../platform/config.ts";
import type { Services } from "../../context.ts";
import { type Databases, type Db, LAG_MS } from "../../platform/db/connect.ts";
import { CANNOT_CONNECT_NOW } from "../../platform/db/failures.ts";
import type { DB } from "../../platform/db/tables.ts";
import { createFeedReader } from "../../content/feeds/feed-reader.ts";
import type { Room } from "../../platform/files/disk.ts";
import { createImages } from "../../content/images/images.ts";
import { createMetrics } from "../../platform/metrics/metrics.ts";
import { createNet } from "../../platform/net/net.ts";
import { SearchMemory } from "../../search/index/memory.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";

export function createServices(config: Config, { db, disk }: { db: Databases; disk: Room }): Services {
  const fragments = createFragments(config.searchMemoryBytes);
  const lagMs = config.databaseReplicaUrls.length > 0 ? LAG_MS : 0;
  return {
    cache: createResponseCache([db.main, db.jobs], { lagMs }),
    fragments,
    renderPool: createRenderPool({ baseUrl: config.baseUrl }),
    searchMemory: new SearchMemory(config.searchMemoryBytes, db, () => fragments.clear()),
    images: createImages(),
    feedReader: createFeedReader(),
    net: createNet(config),
    views: createViewCounter(),
    metrics: createMetrics(),
    disk,
    stopping: new AbortController(),
  };
}

/** A pool whose connections fail like those to a starting database until `resolve` is called. */
export function createDeferredPool() {
  let resolved: pg.Pool | undefined;
  return {
    resolve(pool: pg.Pool): void {
      resolved = pool;
    },
    async connect(): Promise<PostgresPoolClient> {
      if (resolved) return resolved.connect();
      throw Object.assign(new Error("The database isn't ready yet."), { code: CANNOT_CONNECT_NOW });
    },
    async end() {
      if (resolved && !resolved.ending) await resolved.end();
    },
  };
}

export const onPool = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
