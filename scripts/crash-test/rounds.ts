import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { importedOf, writeFile } from "./imports.ts";
import { expectGone, isRunning, isSurvivedBy, kill, type Kind } from "./kill.ts";
import { finish, run, serve, type Site, stop, untilReady } from "./site.ts";
import { expectWritten, startWriter, withClient } from "./writer.ts";

/** The promise: from a start, or from a kill that the server survives, until the site is ready. */
const READY_MILLISECONDS = 5_000;

export interface Round {
  site: Site;
  number: number;
  kind: Kind;
}

/** Imports a file without a disturbance and says how long PostgreSQL was at it. */
export async function measureImport(site: Site): Promise<number> {
  const file = writeFile(0);
  const result = finish(run(site, "import", file, "--json"));
  await Promise.race([untilRunning(site), result]);
  const startedAt = performance.now();
  const { succeeded, output } = await result;
  rmSync(file);
  if (!succeeded) throw new Error(`an import that nothing disturbs fails: ${output}`);
  return performance.now() - startedAt;
}

/** Kills something while a file is being imported: afterwards the file is there whole, or not at all. */
export async function importingRound(round: Round, usualMilliseconds: number): Promise<string> {
  const { site, number, kind } = round;
  const file = writeFile(number);
  const command = run(site, "import", file, "--json");
  const result = finish(command);
  await Promise.race([untilRunning(site), result]);
  const delay = usualMilliseconds * Math.random();
  await Promise.race([sleep(delay), result]);
  const inTime = hasNotEnded(command) && isRunning(site);
  if (inTime) {
    kill(site, kind);
    // What the command survives is followed by its own end, for which it has to be watched again.
    if (isSurvivedBy(kind)) await Promise.race([sleep(1_000), result]);
    command.kill("SIGKILL");
  }
  const { succeeded } = await result;
  rmSync(file);
  const gone = await afterwards(site, kind);
  const { server, milliseconds } = await startInTime(site);
  const imported = await importedOf(site, number);
  await stop(server);
  if (succeeded && imported === "none") throw new Error("the import reported success and its rows are lost");
  const when = inTime ? `killed after ${ms(delay)}` : "too late to kill";
  return `${when}, import ${succeeded ? "succeeded" : "failed"}, ${imported} imported, ${gone}, ready in ${ms(milliseconds)}`;
}

/** Kills something while the site serves and rows are written: none that was acknowledged may be lost. */
export async function servingRound({ site, number, kind }: Round): Promise<string> {
  await startInTime(site);
  const username = `crashserve${number}`;
  const created = await finish(
    run(site, "user", "create", "--username", username, "--name", "Crash", "--json"),
  );
  if (!created.succeeded) throw new Error(`user create fails: ${created.output}`);
  const writer = startWriter(site);
  await sleep(200 + 800 * Math.random());
  kill(site, kind);
  const healed = isSurvivedBy(kind) ? `served again in ${ms(await heal(site, writer.count))}, ` : "";
  if (isSurvivedBy(kind)) kill(site, "node");
  const gone = await afterwards(site, kind);
  const acknowledged = await writer.stop();
  const { server, milliseconds } = await startInTime(site);
  await expectWritten(site, acknowledged);
  await expectUser(site, username);
  await stop(server);
  return `${healed}${gone}, ready in ${ms(milliseconds)}, ${acknowledged.length} rows kept`;
}

/** The processes that a kill left, in words. */
export async function afterwards(site: Site, kind: Kind): Promise<string> {
  if (kind === "all but postgres") return "PostgreSQL orphaned";
  return `gone in ${ms(await expectGone(site))}`;
}

async function startInTime(site: Site): Promise<{ server: ChildProcess; milliseconds: number }> {
  const started = await serve(site);
  if (started.milliseconds <= READY_MILLISECONDS) return started;
  throw new Error(`ready only after ${ms(started.milliseconds)}`);
}

/** Waits until the server has recovered: it is ready and takes rows. */
async function heal(site: Site, count: () => number): Promise<number> {
  const startedAt = performance.now();
  const before = count();
  await untilReady(site, READY_MILLISECONDS);
  // More than the one row that may have been under way.
  while (count() < before + 2) {
    if (performance.now() - startedAt > READY_MILLISECONDS) throw new Error("the server has not recovered");
    await sleep(10);
  }
  return performance.now() - startedAt;
}

async function expectUser(site: Site, username: string): Promise<void> {
  const found = await withClient(site, (client) =>
    client.query("select from users where username = $1", [username]),
  );
  if (found.rowCount !== 1) throw new Error(`the user ${username} was acknowledged and is lost`);
}

async function untilRunning(site: Site): Promise<void> {
  while (!isRunning(site)) await sleep(10);
}

function hasNotEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function ms(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}
