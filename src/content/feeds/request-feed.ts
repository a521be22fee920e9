import type { Answer, Net } from "../../platform/net/net.ts";

const LIMITS = { maxBytes: 5 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };
const ACCEPTED =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

interface Options extends Validators {
  signal?: AbortSignal | undefined;
  queueKey?: string;
  timeoutMs?: number | undefined;
}

export function requestFeed(
  net: Net,
  url: string,
  { etag, lastModified, signal, queueKey, timeoutMs = LIMITS.timeoutMs }: Options,
): Promise<Answer> {
  return net.request(url, {
    ...LIMITS,
    timeoutMs,
    ...(signal && { signal }),
    ...(queueKey !== undefined && { queueKey }),
    headers: {
      accept: ACCEPTED,
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(lastModified !== undefined && { "if-modified-since": lastModified }),
    },
  });
}

/** Only a conditional request may get this answer. */
export function isUnchanged({ status }: Answer, { etag, lastModified }: Validators): boolean {
  return status === 304 && (etag !== undefined || lastModified !== undefined);
}
