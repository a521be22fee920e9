import { readConfig } from "../config.ts";
import { createFeedReader, type FeedReader } from "../feed-parser/feed-reader.ts";
import { createNet, type Net } from "../net/net.ts";

export interface FeedFetcher {
  net: Net;
  feedReader: FeedReader;
}

/** Lets `work` fetch and parse feeds of other sites. */
export async function withFetcher<T>(work: (fetcher: FeedFetcher) => Promise<T>): Promise<T> {
  const net = createNet(readConfig());
  const feedReader = createFeedReader();
  try {
    return await work({ net, feedReader });
  } finally {
    await Promise.all([net.close(), feedReader.close()]);
  }
}
