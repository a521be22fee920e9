import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { exists, postgresProcesses } from "../src/platform/db/embedded/processes.ts";
import { deliverThroughKills } from "./crash-test/delivering.ts";
import { KINDS } from "./crash-test/kill.ts";
import { importingRound, measureImport, type Round, servingRound } from "./crash-test/rounds.ts";
import { clusterOf, newSite, ownerOf, serve, type Site, stop } from "./crash-test/site.ts";
import { makeTable } from "./crash-test/writer.ts";
import { makeAuthors, writingRound } from "./crash-test/writing-round.ts";

// Kills the program and parts of its PostgreSQL, again and again, from outside: while it imports, while it serves, while
// many authors write and while webhooks are delivered. No acknowledged row may be lost, nothing may be left running, the next
// start must be ready within five seconds, and whatever was committed must be delivered.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    program: { type: "string", default: "node bin/inkstone.js" },
    only: { type: "string" },
  },
});
const WHAT = ["importing", "serving", "writing", "delivering"] as const;
const wanted = WHAT.filter((what) => values.only === undefined || values.only === what);
if (wanted.length === 0) throw new Error(`--only is one of ${WHAT.join(", ")}.`);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a number of rounds, such as 20.");

const site = await newSite(values.program.split(" "));
let passed = 0;
let failed = 0;
const kinds: Record<(typeof WHAT)[number], () => Promise<void>> = {
  importing: async () => {
    const usual = await measureImport(site);
    console.log(`an import takes ${Math.round(usual)} ms`);
    await attemptAll("importing", (round) => importingRound(round, usual));
  },
  serving: () => attemptAll("serving", servingRound),
  writing: async () => {
    const keys = await makeAuthors(site, "author");
    await attemptAll("writing", (round) => writingRound(round, keys));
  },
  delivering: async () => {
    const keys = await makeAuthors(site, "publisher");
    await attempt(`delivering, killed ${rounds} times`, () => deliverThroughKills(site, keys, rounds));
  },
};
try {
  const { server, milliseconds } = await serve(site);
  console.log(`first start: ready in ${Math.round(milliseconds)} ms`);
  await makeTable(site);
  await stop(server);
  for (const what of wanted) await kinds[what]();
} finally {
  endAll(site);
  cleanUp(site);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function attemptAll(what: string, round: (round: Round) => Promise<string>): Promise<void> {
  for (let number = 1; number <= rounds; number++) {
    const kind = KINDS[(number - 1) % KINDS.length] ?? "node";
    await attempt(`${what} ${number}/${rounds}, ${kind} killed`, () => round({ site, number, kind }));
  }
}

async function attempt(name: string, work: () => Promise<string>): Promise<void> {
  try {
    console.log(`passed: ${name}: ${await work()}`);
    passed++;
  } catch (error) {
    console.log(`FAILED: ${name}: ${(error as Error).message}`);
    failed++;
    endAll(site);
  }
}

/** After a failure the next round begins with nothing running. */
function endAll(site: Site): void {
  for (const find of [() => [ownerOf(site)], () => postgresProcesses(clusterOf(site))]) {
    try {
      for (const pid of find()) if (exists(pid)) process.kill(pid, "SIGKILL");
    } catch {
      // There is no lock, or no cluster yet.
    }
  }
}

function cleanUp(site: Site): void {
  const places = [site.dataDir];
  try {
    places.push(dirname(clusterOf(site)));
  } catch {
    // The cluster was never made.
  }
  for (const place of places) rmSync(place, { recursive: true, force: true });
}
