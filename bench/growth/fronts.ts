import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HAS_NGINX, startNginx } from "../../test/edge/edges.ts";
import { HAS_POOLER, KEEPS_STATEMENTS, startPooler } from "../../test/between.ts";
import { startS3Store } from "../../test/s3-store.ts";
import { closing } from "../kit.ts";
import { firstPage } from "../lines/fresh-search.ts";
import { keptList } from "../lines/pages.ts";
import { capture } from "../measure/http.ts";
import { createArticles } from "./clients.ts";
import { attempt, type Finding, found, times, unmeasured } from "./finding.ts";
import { compare, type Rig } from "./rig.ts";

/** A list through a pooler that keeps statements: before 1.21 PgBouncer does so only where each client has a connection. */
export function measurePooler(rig: Rig): Promise<Finding[]> {
  const mode = KEEPS_STATEMENTS ? "transaction" : "session";
  const name = `Fresh list, requests a second: through PgBouncer (${mode} mode) beside direct`;
  if (!HAS_POOLER) return Promise.resolve([unmeasured(name, "needs pgbouncer")]);
  return closing(async (later) => {
    const kept = KEEPS_STATEMENTS ? { max_prepared_statements: 200 } : {};
    const settings = { pool_mode: mode, default_pool_size: 40, ...kept };
    const pooler = await startPooler("inkstone", settings, { connectionString: rig.primary.url });
    later(pooler.stop);
    const servers = [await rig.serve(later, { DATABASE_URL: pooler.url }), await rig.serve(later)];
    return attempt(name, async () => {
      const [through, direct] = await compare(rig, firstPage, servers);
      return times(name, {
        now: through.perSecond,
        beside: direct.perSecond,
        unit: "a second",
        atLeast: 0.85,
      });
    });
  });
}

const PICTURE = join(import.meta.dirname, "../../assets/demo/balcony.webp");

/** The same picture, as one client alone asks for it. */
export function measureStore(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const store = await startS3Store();
    later(store.stop);
    const servers = [await rig.start(later, store.env), await rig.start(later)] as const;
    const { baseUrl } = servers[1];
    const { key } = await createArticles(rig, servers[1], "painter", 0);
    const form = new FormData();
    form.append("image", new Blob([new Uint8Array(await readFile(PICTURE))]), "picture.webp");
    const sent = await fetch(`${baseUrl}/api/image_uploads`, {
      method: "POST",
      headers: { "api-key": key },
      body: form,
    });
    const { links } = (await sent.json()) as { links: string[] };
    const { pathname } = new URL(links[0] as string);
    const { body: bytes } = await capture(baseUrl, pathname);
    store.objects.set(pathname.slice(1), { bytes, modifiedAt: new Date() });
    const name = "Picture by one client, p50: from an S3 store beside the disk";
    return attempt(name, async () => {
      const line = { name, requests: () => ({ paths: [pathname] }) };
      const [fromStore, fromDisk] = await compare(rig, line, servers, { connections: 1 });
      return times(name, { now: fromStore.p50, beside: fromDisk.p50, unit: "ms", atMost: 3 });
    });
  });
}

const AT_ONCE = 1_000;

/** A list that nginx keeps, and a crowd at an address that it does not have yet. */
export function measureNginx(rig: Rig): Promise<Finding[]> {
  const name = "Kept list, requests a second: nginx in front beside the server alone";
  if (!HAS_NGINX) return Promise.resolve([unmeasured(name, "needs nginx")]);
  return closing(async (later) => {
    const server = await rig.serve(later, { EDGE_SECONDS: "10", TRUST_PROXY: "127.0.0.1" });
    const nginx = await startNginx(Number(new URL(server.baseUrl).port), { isSecure: false });
    later(nginx.stop);
    const before = await countRequests(server.baseUrl);
    await Promise.all(Array.from({ length: AT_ONCE }, () => nginx.ask("/api/articles?per_page=31")));
    // The look at the counter is counted.
    const asked = (await countRequests(server.baseUrl)) - before - 1;
    return [
      ...(await attempt(name, async () => {
        const [through, alone] = await compare(rig, keptList, [{ ...server, baseUrl: nginx.url }, server]);
        return times(name, { now: through.perSecond, beside: alone.perSecond, unit: "a second", atLeast: 1 });
      })),
      found(`nginx: requests to the server for ${AT_ONCE} at once`, {
        value: asked,
        unit: "requests",
        atMost: 2,
      }),
    ];
  });
}

async function countRequests(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const counts = [...text.matchAll(/^inkstone_http_requests_total\{.* (\d+)$/gm)].map(([, count]) =>
    Number(count),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
