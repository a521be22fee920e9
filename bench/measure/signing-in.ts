import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { say } from "../kit.ts";
import type { Corpus } from "../lines/corpus.ts";
import { firstPage } from "../lines/fresh-search.ts";
import type { Figure } from "../report.ts";
import { newestArticles, sendForm } from "./http.ts";
import { cookieOf, signInByLink } from "./member.ts";
import { percentiles } from "./percentiles.ts";
import { memoryOfTree, runTimeOf, watchMemory } from "./processes.ts";
import type { Server } from "./program.ts";
import { openReader } from "./reader.ts";

const PASSWORD = "a password of the bench";
const WRONG = "a wrong password";

const CPU_MS = 40;
const DIFFERENCE_MS = 5;
const MOST_NAMES = 300;
const CROWD = 200;
const P99_MS = 250;
const GROWTH_MIB = 80;
const READS_A_SECOND = 20;

interface Site extends Server {
  dataDir: string;
  corpus: Corpus;
}

/** The processor time of a sign-in; the latency of reads, and the memory, while many clients try wrong passwords. */
export async function measureSigningIn(
  site: Site,
  { times, seconds }: { times: number; seconds: number },
): Promise<Figure[]> {
  say("Signing in");
  const { baseUrl, pid, dataDir } = site;
  const { username, cookie } = await signInByLink(baseUrl, dataDir);
  await cookieOf(sendForm(baseUrl, "/settings/password", { password: PASSWORD }, cookie));
  const signIn = () => cookieOf(sendForm(baseUrl, "/signin", { login: username, password: PASSWORD }));
  await signIn();
  const before = runTimeOf(pid);
  for (let time = 0; time < times; time += 1) await signIn();
  const cpu = (runTimeOf(pid) - before) / times;
  return [
    { name: "CPU of signing in", value: cpu, unit: "ms", atMost: CPU_MS },
    await measureDifference(site),
    ...(await measureCrowd(site, seconds)),
  ];
}

/** Each name is tried once, because failures of one account make it wait. */
async function measureDifference({ baseUrl, corpus: { articles } }: Site): Promise<Figure> {
  const authors = (await newestArticles(baseUrl, articles)).map(({ user }) => user.username);
  const names = [...new Set(authors)].slice(0, MOST_NAMES);
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  const tryOne = async (login: string) =>
    (await sendForm(baseUrl, "/signin", { login, password: WRONG })).milliseconds;
  for (const name of names) {
    times.known.push(await tryOne(name));
    times.unknown.push(await tryOne(`no_${name}`));
  }
  const [known, unknown] = [percentiles(times.known).p50, percentiles(times.unknown).p50];
  const name = `Difference of the median of ${names.length} known names from as many unknown ones`;
  return { name, value: Math.abs(known - unknown), unit: "ms", atMost: DIFFERENCE_MS };
}

async function measureCrowd({ baseUrl, pid, corpus }: Site, seconds: number): Promise<Figure[]> {
  const { paths } = await firstPage.requests({ baseUrl, corpus });
  const reader = openReader({ url: baseUrl, paths, perSecond: READS_A_SECOND });
  try {
    await reader.read(1);
    const idle = memoryOfTree(pid);
    const stopWatching = watchMemory(pid);
    const [times] = await Promise.all([reader.read(seconds), guess(baseUrl, seconds + 1)]);
    const { all } = stopWatching();
    const name = `beside ${CROWD} connections with wrong passwords`;
    return [
      { name: `p99 of a fresh list ${name}`, value: percentiles(times).p99, unit: "ms", atMost: P99_MS },
      { name: `Memory (PSS) more ${name}`, value: all - idle, unit: "MiB", atMost: GROWTH_MIB },
    ];
  } finally {
    reader.close();
  }
}

/** Tries unknown names, each once: failures of one name make it wait. */
async function guess(baseUrl: string, seconds: number): Promise<void> {
  const script = join(import.meta.dirname, "guess.lua");
  const load = ["-t", "1", "-c", String(CROWD), "-d", `${seconds}s`, "--timeout", "30s"];
  await promisify(execFile)("wrk", [...load, "-s", script, `${baseUrl}/signin`]);
}
