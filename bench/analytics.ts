/** Measures the figures of a busy author, by the number of rows of views. */
import { resolve } from "node:path";
import { DAYS, fill, type Filled, LEAST_VIEWS } from "./analytics/fill.ts";
import { closing, runBench, say, TEXT, text, wholeNumber } from "./kit.ts";
import { askOk, createClient } from "./measure/http.ts";
import { prepareDataDir } from "./measure/data-dir.ts";
import { type Percentiles, percentiles } from "./measure/percentiles.ts";
import { serve } from "./measure/program.ts";
import { table, wordOf } from "./report.ts";

/** The limit of p99. */
const LIMIT_MS = 50;

interface Measured {
  name: string;
  times: Percentiles;
}

const holds = ({ times }: Measured): boolean => times.p99 <= LIMIT_MS;

await runBench("bench:analytics", {
  options: { views: text("10000000"), requests: text("200"), keep: TEXT },
  section: () => "analytics results",
  async measure({ views, requests, keep }) {
    const measured = await measureAll(
      wholeNumber("--views", views, LEAST_VIEWS, 100_000_000),
      wholeNumber("--requests", requests, 10, 99_999),
      keep === undefined ? undefined : resolve(keep),
    );
    const rows = measured.map((each) => {
      const { p50, p99 } = each.times;
      return [each.name, p50.toFixed(1), p99.toFixed(1), wordOf(holds(each))];
    });
    const slow = measured.filter((each) => !holds(each));
    return {
      tables: [table(["Read", "p50 ms", "p99 ms", "Verdict"], rows)],
      faults: slow.map(
        ({ name, times: { p99 } }) => `${name}: p99 is ${p99.toFixed(1)} ms, more than ${LIMIT_MS}.`,
      ),
    };
  },
});

/** Serves one site to its busiest author, who asks for everything in turn. */
function measureAll(views: number, requests: number, keep: string | undefined): Promise<Measured[]> {
  return closing(async (later) => {
    const dataDir = await prepareDataDir({ name: `analytics-${views}`, keep }, (path) => fill(path, views));
    later(dataDir.leave);
    const serving = await serve(dataDir.path);
    later(serving.stop);
    const client = createClient(serving.baseUrl);
    later(client.close);
    say("Measuring");
    const warmUp = 5;
    const taken = readsOf(dataDir).map((read) => ({ ...read, times: [] as number[] }));
    for (let count = 0; count < warmUp + requests; count += 1) {
      for (const { path, times } of taken) {
        const { milliseconds } = await askOk(client, path, dataDir.key);
        if (count >= warmUp) times.push(milliseconds);
      }
    }
    return taken.map(({ name, times }) => ({ name, times: percentiles(times) }));
  });
}

function readsOf({ organizationId, until }: Filled): { name: string; path: string }[] {
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
