import { execFile } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { superuserAt } from "../../test/own-postgres.ts";
import { clientOf, keepAsking } from "../growth/clients.ts";
import { type Finding, found, times, unmeasured } from "../growth/finding.ts";
import { closing } from "../kit.ts";
import { createSender, newestArticles } from "../measure/http.ts";
import { percentiles } from "../measure/percentiles.ts";
import { command, OURS, serve } from "../measure/program.ts";
import { round } from "../report.ts";
import { createTexts } from "../writes/texts.ts";
import type { Site } from "./site.ts";

const MOST_MEMORY = 150;

const bytesOf = async (...files: string[]) =>
  (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0) / 1e6;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** The files of both ways. */
const filesOf = ({ place: { home } }: Site) => ({
  backup: join(home, "site.tar"),
  dump: join(home, "site.dump"),
  tar: join(home, "files.tar"),
});

const nameOf = (words: string, { articles }: Site) => `${words}, ${round(articles)} articles`;

const tar = (...args: string[]) => promisify(execFile)("tar", args);

const NO_DUMP = "needs pg_dump: install postgresql-15";

/** A backup beside `pg_dump -Fc -Z1` and `tar`. */
export async function measureBackup(site: Site): Promise<Finding[]> {
  const { place, dataDir, server, run } = site;
  const files = filesOf(site);
  const { seconds, memory } = await run(["backup", "--force", files.backup]);
  const own = found(nameOf("Memory of backup", site), { value: memory, unit: "MiB", atMost: MOST_MEMORY });
  if (!place.isDebian) return [own, unmeasured(nameOf("Backup", site), NO_DUMP)];
  const beside = await secondsOf(async () => {
    const options = ["-Fc", "-Z1", "-f", files.dump, "-d", superuserAt(server.port)];
    await place.run(place.bin("pg_dump"), ...options);
    await tar("-cf", files.tar, "-C", dataDir, "files");
  });
  const sizes = { now: await bytesOf(files.backup), beside: await bytesOf(files.dump, files.tar) };
  return [
    times(nameOf("Backup", site), { now: seconds, beside, unit: "s", atMost: 1.5 }),
    times(nameOf("… its size", site), { ...sizes, unit: "MB", atMost: 1.3 }),
    own,
  ];
}

/** A restore beside `pg_restore` and `tar`, and beside the import. */
export async function measureRestore(site: Site): Promise<Finding[]> {
  const { place, server, run, articles, importSeconds } = site;
  const files = filesOf(site);
  await run(["backup", "--force", files.backup]);
  await makeDatabase(site, "restored");
  const target = { ...site.urlsOf("restored"), DATA_DIR: join(place.home, "restored-data") };
  const { seconds, memory } = await run(["restore", "--no-verify", files.backup], target);
  const findings = [
    times(nameOf("… beside import", site), { now: seconds, beside: importSeconds, unit: "s", atMost: 0.25 }),
    found(nameOf("Memory of restore", site), { value: memory, unit: "MiB", atMost: MOST_MEMORY }),
  ];
  if (articles === 100_000)
    findings.unshift(found(nameOf("Restore", site), { value: seconds, unit: "s", atMost: 300 }));
  await rm(target.DATA_DIR, { recursive: true });
  if (!place.isDebian) return [unmeasured(nameOf("Restore", site), NO_DUMP), ...findings];
  await makeDatabase(site, "beside");
  const beside = await secondsOf(async () => {
    const url = superuserAt(server.port).replace(/[^/]*$/, "beside");
    await place.run(place.bin("pg_restore"), "-d", url, files.dump);
    await tar("-xf", files.tar, "-C", place.home);
  });
  return [times(nameOf("Restore", site), { now: seconds, beside, unit: "s", atMost: 1.5 }), ...findings];
}

async function makeDatabase({ server }: Site, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserAt(server.port) });
  await client.connect();
  await client.query(`drop database if exists ${name}`);
  await client.query(`create database ${name} owner inkstone_owner`);
  await client.end();
}

const PER_SECOND = 100;
/** Of ten requests. */
const WRITES = 3;
const WARM_UP_MS = 10_000;
const ALONE_MS = 15_000;

/** Readers and writers beside a backup, and before it. */
export function measureBeside(site: Site): Promise<Finding[]> {
  return closing(async (later) => {
    const environment = site.urlsOf();
    const serving = await serve(site.dataDir, { program: OURS, environment });
    later(serving.stop);
    const { ask, close } = await startAsking(site, serving.baseUrl);
    later(close);
    const during = async (work: () => Promise<unknown>) => {
      const asking = await keepAsking({ clients: 64, perSecond: PER_SECOND }, ask);
      await work();
      return asking.end();
    };
    await during(() => sleep(WARM_UP_MS));
    const alone = await during(() => sleep(ALONE_MS));
    const beside = await during(() => site.run(["backup", "--force", filesOf(site).backup]));
    const [now, before] = [beside, alone].map(({ milliseconds }) => percentiles(milliseconds).p99);
    const name = nameOf("p99 of readers and writers beside a backup", site);
    const from = `${beside.milliseconds.length} requests${beside.failures.length > 0 ? `, such as ${beside.failures[0]}` : ""}`;
    return [
      times(name, { now: now ?? NaN, beside: before ?? NaN, unit: "ms", atMost: 2 }),
      found("… failures", { value: beside.failures.length, unit: "requests", atMost: 0, from }),
    ];
  });
}

/** Reads articles and lists, and writes drafts. */
async function startAsking(site: Site, baseUrl: string) {
  const username = `keeper_${Date.now() % 1e9}`;
  await site.run(["user", "create", "--username", username, "--name", "Keeper"]);
  const key = await keyOf(site, username);
  const articles = await newestArticles(baseUrl, 100);
  const [client, sender, texts] = [clientOf(baseUrl, 64), createSender(baseUrl), createTexts()];
  return {
    close() {
      client.close();
      sender.close();
    },
    ask(turn: number): Promise<unknown> {
      if (turn % 10 < WRITES) return sender.send("POST", "/api/articles", key, { article: texts.next() });
      const article = articles[turn % articles.length];
      return client.ask(
        turn % 2 === 0 ? `/api/articles/${article?.id}` : `/api/articles?page=${1 + (turn % 50)}`,
      );
    },
  };
}

async function keyOf({ dataDir, urlsOf }: Site, username: string): Promise<string> {
  const args = ["key", "create", "--user", username, "--description", "Bench"];
  return (await command(dataDir, args, OURS, urlsOf())).out.trim();
}
