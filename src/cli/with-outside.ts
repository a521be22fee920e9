import { readConfig } from "../config.ts";
import { createFeedReader, type FeedReader } from "../feed-reading/feed-reader.ts";
import { createNet, type Net } from "../net/net.ts";

/** Gives a command what reaches other sites and reads their feeds, and ends both again. */
export async function withOutside<T>(
  work: (outside: { net: Net; feedReader: FeedReader }) => Promise<T>,
): Promise<T> {
  const net = createNet(readConfig());
  const feedReader = createFeedReader();
  try {
    return await work({ net, feedReader });
  } finally {
    await Promise.all([net.close(), feedReader.close()]);
  }
}
