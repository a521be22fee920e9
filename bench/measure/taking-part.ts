import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../kit.ts";
import type { Figure } from "../report.ts";
import { ask, newestArticles } from "./http.ts";
import { signInByLink } from "./member.ts";
import { runTimeOf } from "./processes.ts";
import type { Server } from "./program.ts";
import { medianOf } from "./start-up.ts";

const ACT_MS = 5;
const COMMENT_MS = 10;
const PAGE_PERCENT = 130;

const WARM_UP = 20;
/** Consumers of events run every half a second. */
const CONSUMED_MS = 600;
/** Longer than a stranger's page is kept. */
const FORGOTTEN_MS = 1_000;
const ROUNDS = 5;

const COMMENT = "The second coat took *two days* to dry, and [the notes](https://ink.example/) say `one`. "
  .repeat(12)
  .slice(0, 1_024);

const nth = (ids: number[], turn: number) => ids[turn % ids.length] ?? 0;

export type Site = Server & { dataDir: string };

/** The processor time of what members do with buttons and forms, and of an article's page for them. */
export async function measureTakingPart(site: Site, times: number): Promise<Figure[]> {
  say("Taking part");
  const { baseUrl, dataDir } = site;
  const { username, cookie } = await signInByLink(baseUrl, dataDir);
  const articles = await newestArticles(baseUrl, times);
  const authors = new Set(articles.map(({ user }) => user.username).filter((name) => name !== username));
  const articleIds = articles.map(({ id }) => id);
  const userIds = await Promise.all([...authors].slice(0, times).map((name) => idOfUser(baseUrl, name)));
  const paths = articles.map(({ path }) => path);

  const send = (path: string, values: Record<string, string>) => sendByScript(baseUrl + path, cookie, values);
  /** Presses the button of one thing, and again, and then that of the next one. */
  const press = (act: string, ids: number[]) => (turn: number) =>
    send(`/take-part/${act}/${nth(ids, Math.floor(turn / 2))}`, { on: turn % 2 === 0 ? "1" : "0" });
  const comment = (turn: number) => {
    const article = String(nth(articleIds, turn));
    return send("/comments/new", { article, form_token: randomUUID(), body_markdown: COMMENT });
  };

  // Before the comments, which make some pages longer.
  const percent = 100 * (await pageRatio(site, cookie, paths));
  const figures: Figure[] = [];
  for (const [name, act, atMost] of [
    ["a reaction", press("like", articleIds), ACT_MS],
    ["a save", press("readinglist", articleIds), ACT_MS],
    ["a follow", press("follow-user", userIds), ACT_MS],
    ["a comment of 1 KB", comment, COMMENT_MS],
  ] as const)
    figures.push({ name: `CPU of ${name}`, value: await cpuOf(site.pid, times, act), unit: "ms", atMost });
  const name = "CPU of a member's article page, of a stranger's fresh one";
  return [...figures, { name, value: percent, unit: "%", atMost: PAGE_PERCENT }];
}

/** Sends a form as the script of forms does. */
export async function sendByScript(
  url: string,
  cookie: string,
  values: Record<string, string>,
): Promise<void> {
  const headers = {
    accept: "text/html; fragment=1",
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
    cookie,
  };
  const form = new URLSearchParams({ back: "/", ...values });
  const { status } = await ask(new URL(url), { method: "POST", headers }, form.toString());
  if (status !== 200 && status !== 204) throw new Error(`${url} returned ${status}.`);
}

/** With what it causes in the background; the median of rounds, beside some of which the database cleans up. */
export async function cpuOf(
  pid: number,
  times: number,
  act: (turn: number) => Promise<void>,
  rounds = ROUNDS,
): Promise<number> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await act(turn);
  return medianOf(rounds, async () => {
    await sleep(CONSUMED_MS);
    const before = runTimeOf(pid);
    for (let turn = 0; turn < times; turn += 1) await act(turn);
    await sleep(CONSUMED_MS);
    return (runTimeOf(pid) - before) / times;
  });
}

/** The same pages, whose bodies are in memory, are read by both in turns. */
async function pageRatio({ baseUrl, pid }: Server, cookie: string, paths: string[]): Promise<number> {
  async function read(headers: Record<string, string>): Promise<number> {
    await sleep(FORGOTTEN_MS);
    const before = runTimeOf(pid);
    for (const path of paths) {
      const { status } = await ask(new URL(path, baseUrl), { headers });
      if (status !== 200) throw new Error(`${path} returned ${status}.`);
    }
    return runTimeOf(pid) - before;
  }

  await read({});
  await read({ cookie });
  return medianOf(ROUNDS, async () => {
    const stranger = await read({});
    return (await read({ cookie })) / stranger;
  });
}

async function idOfUser(baseUrl: string, username: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/api/users/by_username?url=${username}`);
  return ((await answer.json()) as { id: number }).id;
}
