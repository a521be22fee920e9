import { setTimeout as sleep } from "node:timers/promises";
import { type Keys, expectKept, startAuthors } from "./articles.ts";
import { isSurvivedBy, kill } from "./kill.ts";
import { afterwards, type Round } from "./rounds.ts";
import { finish, run, serve, type Site, stop, untilReady } from "./site.ts";

const AUTHORS = 4;
/** The least changes before a kill. */
const WARM = 50;

/** People who write, named after what they do it for. */
export async function makeAuthors(site: Site, name: string): Promise<Keys> {
  const keys: string[] = [];
  for (let number = 0; number < AUTHORS; number++) {
    const options = ["--username", `${name}${number}`, "--name", "Author", "--with-key", "--json"];
    const { succeeded, output } = await finish(run(site, "user", "create", ...options));
    if (!succeeded) throw new Error(`user create fails: ${output}`);
    keys.push((JSON.parse(output) as { api_key: string }).api_key);
  }
  return keys;
}

/**
 * Kills something while many authors write: no acknowledged change may be lost, none made twice, and
 * everything that is kept twice or counted must be as it should be.
 */
export async function writingRound({ site, kind }: Round, keys: Keys): Promise<string> {
  await serve(site);
  const authors = startAuthors(site, keys);
  // A server that has just started is slow at first.
  while (authors.count() < WARM) await sleep(10);
  await sleep(1_500 * Math.random());
  kill(site, kind);
  if (isSurvivedBy(kind)) {
    await untilReady(site, 10_000);
    await sleep(500);
    kill(site, "node");
  }
  const gone = await afterwards(site, kind);
  const ledger = await authors.stop();
  const { server } = await serve(site);
  await expectKept(site, ledger, keys);
  await expectSound(site);
  await stop(server);
  const { articles, uncertain, acknowledged } = ledger;
  const unsure = uncertain.length + articles.filter(({ possible }) => possible.length > 1).length;
  return `${gone}, ${acknowledged} changes kept, ${unsure} without an answer, nothing wrong`;
}

/** Fails unless all data agrees with itself. */
export async function expectSound(site: Site): Promise<void> {
  const { output } = await finish(run(site, "doctor", "--verify", "--json"));
  const findings = JSON.parse(output) as { check: string; result: string; message: string }[];
  const wrong = findings.filter(({ result }) => result === "fail");
  if (wrong.length > 0) throw new Error(wrong.map(({ check, message }) => `${check}: ${message}`).join(" "));
}
