import { say } from "../entry.ts";
import { askOk, createClient } from "../measure/client.ts";
import { prepareDataDir } from "../measure/data-dir.ts";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
import { serve } from "../measure/program.ts";
import { DAYS, fill, type Filled } from "./fill.ts";

export interface AnalyticsBench {
  /** Rows of views. */
  views: number;
  requests: number;
  /** Where the data directory is kept for another run. */
  keep: string | undefined;
}

export interface Measured {
  name: string;
  times: Percentiles;
}

interface Read {
  name: string;
  path: string;
}

const WARM_UP = 5;

/** Serves one site to its busiest author, who asks for everything in turn. */
export async function measureAnalytics({ views, requests, keep }: AnalyticsBench): Promise<Measured[]> {
  const dataDir = await prepareDataDir({ name: `analytics-${views}`, keep }, (path) => fill(path, views));
  try {
    const serving = await serve(dataDir.path);
    const client = createClient(serving.baseUrl);
    try {
      say("Measuring");
      const reads = readsOf(dataDir);
      const taken = new Map<Read, number[]>(reads.map((read) => [read, []]));
      for (let count = 0; count < WARM_UP + requests; count += 1) {
        for (const [read, times] of taken) {
          const { milliseconds } = await askOk(client, read.path, dataDir.key);
          if (count >= WARM_UP) times.push(milliseconds);
        }
      }
      return reads.map((read) => ({ name: read.name, times: percentiles(taken.get(read) ?? []) }));
    } finally {
      client.close();
      await serving.stop();
    }
  } finally {
    await dataDir.leave();
  }
}

function readsOf({ organizationId, until }: Filled): Read[] {
  const end = new Date(until);
  const start = new Date(end.getTime() - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  const scopes = [
    { of: "a user", query: "" },
    { of: "an organization", query: `organization_id=${organizationId}` },
    { of: "an article", query: "article_id=1" },
  ];
  return scopes.flatMap(({ of, query }) => [
    { name: `Totals of ${of}`, path: `/api/analytics/totals?${query}` },
    { name: `${DAYS} days of ${of}`, path: `/api/analytics/historical?start=${start}&end=${until}&${query}` },
    { name: `Referrers of ${of}`, path: `/api/analytics/referrers?${query}` },
    {
      name: `Referrers of ${of} in ${DAYS} days`,
      path: `/api/analytics/referrers?start=${start}&end=${until}&${query}`,
    },
  ]);
}
