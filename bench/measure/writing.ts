import { randomUUID } from "node:crypto";
import { say } from "../kit.ts";
import type { Figure } from "../report.ts";
import { ask } from "./http.ts";
import { signInByLink } from "./member.ts";
import { command } from "./program.ts";
import { medianOf } from "./start-up.ts";
import { cpuOf, sendByScript, type Site } from "./taking-part.ts";

const PERCENT = 115;
const ROUNDS = 5;
const TEXT = "The second coat took *two days* to dry, and [the notes](https://ink.example/) say `one`.\n\n";

const textOf = (way: string, turn: number) => `${way} ${turn} ${randomUUID()}\n\n${TEXT.repeat(60)}`;

/** The processor time of saving an article by the form of the editor, in that of the same PUT by key. */
export async function measureWriting(site: Site, times: number): Promise<Figure[]> {
  say("Writing");
  const { baseUrl, dataDir, pid } = site;
  const { username, cookie } = await signInByLink(baseUrl, dataDir);
  const { out } = await command(dataDir, ["key", "create", "--user", username, "--description", "bench"]);
  const headers = { "api-key": out.trim(), "content-type": "application/json" };
  const send = (method: string, path: string, article: object) =>
    ask(new URL(path, baseUrl), { method, headers }, { article });
  const fields = {
    title: "Two coats",
    tag_list: "oil, wood",
    description: "",
    canonical_url: "",
    series: "",
  };
  const created = await send("POST", "/api/articles", {
    title: fields.title,
    body_markdown: "x",
    tags: fields.tag_list,
    published: true,
  });
  const { id, path } = JSON.parse(created.body.toString()) as { id: number; path: string };
  const byKey = async (turn: number) => {
    const { status } = await send("PUT", `/api/articles/${id}`, { body_markdown: textOf("By key", turn) });
    if (status !== 200) throw new Error(`The PUT returned ${status}.`);
  };
  const byForm = (turn: number) =>
    sendByScript(`${baseUrl}${path}/edit`, cookie, {
      ...fields,
      article: String(id),
      body_markdown: textOf("By form", turn),
      act: "save",
      stay: "1",
    });
  const ratio = await medianOf(ROUNDS, async () => {
    const key = await cpuOf(pid, times, byKey, 1);
    return (await cpuOf(pid, times, byForm, 1)) / key;
  });
  const name = "CPU of saving by the form, of the same PUT by key";
  return [{ name, value: 100 * ratio, unit: "%", atMost: PERCENT }];
}
