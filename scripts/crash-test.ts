import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { exists, postgresProcesses } from "../src/db/embedded/processes.ts";
import { KINDS } from "./crash-test/kill.ts";
import { importingRound, measureImport, type Round, servingRound } from "./crash-test/rounds.ts";
import { clusterOf, newSite, ownerOf, serve, type Site, stop } from "./crash-test/site.ts";
import { makeTable } from "./crash-test/writer.ts";
import { makeAuthors, writingRound } from "./crash-test/writing-round.ts";

// Kills the program and parts of its PostgreSQL, again and again, from outside: while it imports, while it serves and
// while many authors write. No acknowledged row may be lost, nothing may be left running, and the next start must be ready within five seconds.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    program: { type: "string", default: "node bin/inkstone.js" },
    only: { type: "string" },
  },
});
const WHAT = ["importing", "serving", "writing"] as const;
const wanted = WHAT.filter((what) => values.only === undefined || values.only === what);
if (wanted.length === 0) throw new Error(`--only is one of ${WHAT.join(", ")}.`);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a number of rounds, such as 20.");

const site = await newSite(values.program.split(" "));
let passed = 0;
let failed = 0;
try {
  const { server, milliseconds } = await serve(site);
  console.log(`first start: ready in ${Math.round(milliseconds)} ms`);
  await makeTable(site);
  await stop(server);
  const usual = await measureImport(site);
  console.log(`an import takes ${Math.round(usual)} ms`);
  const keys = await makeAuthors(site);
  const doRound: Record<(typeof WHAT)[number], (round: Round) => Promise<string>> = {
    importing: (round) => importingRound(round, usual),
    serving: servingRound,
    writing: (round) => writingRound(round, keys),
  };
  for (const what of wanted)
    for (let number = 1; number <= rounds; number++) await attempt(what, number, doRound[what]);
} finally {
  endAll(site);
  cleanUp(site);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function attempt(
  what: string,
  number: number,
  round: (round: Round) => Promise<string>,
): Promise<void> {
  const kind = KINDS[(number - 1) % KINDS.length] ?? "node";
  const name = `${what} ${number}/${rounds}, ${kind} killed`;
  try {
    console.log(`passed: ${name}: ${await round({ site, number, kind })}`);
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
