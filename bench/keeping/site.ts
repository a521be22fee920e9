import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { asOwner, connectionVia, prepareDatabase } from "../../src/platform/db/embedded/database.ts";
import { createFiles } from "../../src/platform/files/files.ts";
import { DEBIAN, openPlace, type Place, type Server } from "../../test/own-postgres.ts";
import { corpus } from "../corpus.ts";
import { type Later, say } from "../kit.ts";
import { newDataDir } from "../measure/data-dir.ts";
import { SEED } from "../measure/corpus-dir.ts";
import { command, OURS } from "../measure/program.ts";
import { round } from "../report.ts";

/** A site with articles and files on a PostgreSQL of its own: Debian's, if it is there, which has `pg_dump`. */
export interface Site {
  articles: number;
  dataDir: string;
  place: Place;
  server: Server;
  /** Of the site's database, or of another one of the server. */
  urlsOf(database?: string): { DATABASE_URL: string; DATABASE_OWNER_URL: string };
  /** Runs a command on the site, and gives seconds and the most memory of the program in MiB. */
  run(args: string[], environment?: Record<string, string>): Promise<Ran>;
  importSeconds: number;
}

interface Ran {
  seconds: number;
  memory: number;
}

/** As a site of some size has them. */
const POSTGRES = { autovacuum: "on", shared_buffers: "256MB", jit: "off", max_wal_size: "4GB" };

const FILE_BYTES = 100_000;
/** One picture for so many articles. */
const ARTICLES_OF_FILE = 10;

export async function openSite(later: Later, articles: number): Promise<Site> {
  say(`Importing ${round(articles)} articles, and making files`);
  const place = await openPlace(POSTGRES, { isDebian: existsSync(DEBIAN) });
  later(place.close);
  await place.initialize("site");
  const server = await place.start("site");
  await prepareDatabase(connectionVia("127.0.0.1", server.port));
  const { path: dataDir, leave } = newDataDir();
  later(leave);
  const urlsOf: Site["urlsOf"] = (database = "inkstone") => {
    const program = connectionVia("127.0.0.1", server.port);
    const as = (role: string) => `postgres://${role}@127.0.0.1:${server.port}/${database}`;
    return { DATABASE_URL: as(program.user), DATABASE_OWNER_URL: as(asOwner(program).user) };
  };
  const run: Site["run"] = async (args, environment = {}) => {
    const startedAt = performance.now();
    const { memory } = await command(dataDir, args, OURS, { ...urlsOf(), ...environment });
    return { memory: memory.own, seconds: (performance.now() - startedAt) / 1_000 };
  };
  const file = join(place.home, "corpus.ndjson");
  await writeFile(file, Readable.from(corpus({ articles, seed: SEED, until: new Date() })));
  const { seconds: importSeconds } = await run(["import", file]);
  const files = createFiles(join(dataDir, "files"));
  for (let count = 0; count < articles / ARTICLES_OF_FILE; count += 1)
    await files.put(`uploads/${randomBytes(16).toString("hex")}.png`, randomBytes(FILE_BYTES));
  return { articles, dataDir, place, server, urlsOf, run, importSeconds };
}
