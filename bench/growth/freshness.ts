import type { Standby } from "../../test/standbys.ts";
import { createRandom } from "../corpus/random.ts";
import { closing } from "../kit.ts";
import { SEED } from "../measure/corpus-dir.ts";
import { createSender } from "../measure/http.ts";
import { clientOf, createArticles } from "./clients.ts";
import { type Finding, found } from "./finding.ts";
import type { Rig } from "./rig.ts";

const PLACES = 4;
const LAG_MS = 700;
/** Most steps read, because a write drops what its process has kept. */
const WRITES = 0.1;
/** As `api.md` promises to the readers of another process. */
const LIMIT_MS = 1_000;

/** A version that a process has acknowledged. */
interface Write {
  version: number;
  process: number;
  at: number;
}

/** An answer that lacks a version that it had to have. */
interface Stale {
  status: number;
  byOwn: boolean;
  ageMs: number;
}

/** Writes and reads at random over two processes, one of whose replicas lags. */
export function measureFreshness(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const [lagging] = rig.standbys as [Standby, Standby];
    await lagging.delay(LAG_MS);
    later(() => lagging.delay(0));
    const open = async () => {
      const server = await rig.serve(later, { DATABASE_REPLICA_URLS: rig.replicaUrls });
      const [client, sender] = [clientOf(server.baseUrl, PLACES), createSender(server.baseUrl)];
      later(client.close);
      later(sender.close);
      return { ...server, ...client, ...sender };
    };
    const processes = [await open(), await open()] as const;
    const { ids, key } = await createArticles(rig, processes[0], "fresh", PLACES);
    const stale: Stale[] = [];
    await Promise.all(ids.map(walk));
    return findings(stale, rig.effort.steps);

    /** One article, which this alone writes. */
    async function walk(id: number, place: number): Promise<void> {
      const random = createRandom(SEED + place);
      const writes: Write[] = [];
      const seen = new Map<string, { etag: string; version: number }>();
      const paths = [`/api/articles/${id}`, `/api/articles?username=fresh&per_page=${PLACES + place}`];
      for (let step = 0; step < rig.effort.steps / PLACES; step += 1) {
        const process = random.between(0, 1);
        const { ask, send } = processes[process] as (typeof processes)[0];
        if (random.next() < WRITES) {
          await send("PUT", `/api/articles/${id}`, key, { article: { title: `Version ${step} of ${id}` } });
          writes.push({ version: step, process, at: performance.now() });
          continue;
        }
        const path = random.pick(paths);
        const known = random.next() < 0.5 ? seen.get(`${process}${path}`) : undefined;
        const at = performance.now();
        const headers = known && { "if-none-match": known.etag };
        const { status, body, headers: got } = await ask(path, [200, 304], { ...(headers && { headers }) });
        const version = status === 304 ? (known?.version ?? NaN) : versionIn(body, id);
        seen.set(`${process}${path}`, { etag: got.etag ?? "", version });
        for (const write of writes)
          if (write.version > version)
            stale.push({ status, byOwn: write.process === process, ageMs: at - write.at });
      }
    }
  });
}

function versionIn(body: Buffer, id: number): number {
  const articles = [JSON.parse(String(body)) as { id: number; title: string }].flat();
  const { title } = articles.find((article) => article.id === id) ?? { title: "" };
  return Number(/^Version (\d+)/.exec(title)?.[1] ?? -1);
}

function findings(stale: readonly Stale[], steps: number): Finding[] {
  const count = (wanted: number) => stale.filter(({ status, byOwn }) => byOwn && status === wanted).length;
  const longest = Math.max(0, ...stale.filter(({ byOwn }) => !byOwn).map(({ ageMs }) => ageMs));
  const name = `${steps} random writes and reads over two processes, a replica ${LAG_MS} ms behind`;
  return [
    found(`${name}: stale 200 of the own process`, { value: count(200), unit: "answers", atMost: 0 }),
    found("… stale 304 of the own process", { value: count(304), unit: "answers", atMost: 0 }),
    found("… a write of the other process is missing, at the longest", {
      value: longest / 1_000,
      unit: "s",
      atMost: LIMIT_MS / 1_000,
    }),
  ];
}
