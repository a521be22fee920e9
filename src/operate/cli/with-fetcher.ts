import { readConfig } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { createConverter } from "../../community/feed-imports/converter.ts";
import type { ImportServices } from "../../community/feed-imports/import-item.ts";
import { createFeedReader } from "../../content/feeds/feed-reader.ts";
import { createNet } from "../../platform/net/net.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";

/** Lets `work` fetch feeds of other sites, and read and render their items. */
export async function withFetcher<T>(db: Db, work: (fetcher: ImportServices) => Promise<T>): Promise<T> {
  const config = readConfig();
  const outside = { net: createNet(config), feedReader: createFeedReader() };
  const renderer = createRenderPool({ size: 1, baseUrl: config.baseUrl });
  const converter = createConverter();
  try {
    return await work({ db, outside, renderer, converter, now: () => new Date() });
  } finally {
    const used = [outside.net, outside.feedReader, renderer, converter];
    await Promise.all(used.map((each) => each.close()));
  }
}
