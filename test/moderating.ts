import { beforeAll } from "vitest";
import * as log from "../src/community/log/log.ts";
import { cookieFor, postForm } from "./accounts.ts";
import { worldForAll } from "./world.ts";

export const NOW = new Date("2026-03-31T12:00:00Z");

/** A community with two admins, ada and abe, two moderators, mara and moss, and the members lena, mo and reader. */
export function moderatingForAll() {
  const world = worldForAll({ now: NOW });
  const people: Record<string, { id: number; username: string; cookie: string; key: string }> = {};

  async function person(username: string, role = "member") {
    const { id } = await world.user({ username, role, email: `${username}@mail.example` });
    const made = { id, username, cookie: await cookieFor(world, id), key: await world.key({ id }) };
    people[username] = made;
    return made;
  }
  const of = (username: string) => people[username] ?? { id: 0, username: "", cookie: "", key: "" };

  beforeAll(async () => {
    for (const username of ["ada", "abe"]) await person(username, "admin");
    for (const username of ["mara", "moss"]) await person(username, "moderator");
    for (const username of ["lena", "mo", "reader"]) await person(username);
  });

  const headersOf = (who: string) => ({ accept: "text/html", ...(who && { cookie: of(who).cookie }) });
  const get = (url: string, who = "") => world.get(url, { headers: headersOf(who) });
  const post = (url: string, values: Record<string, string> = {}, who = "mara") =>
    postForm(world, url, values, headersOf(who));
  const call = (method: string, url: string, who: string) =>
    world.request({ method, url, ...(who && { key: of(who).key }) });
  const entries = () => log.list(world.db, { limit: 1_000 });
  const newest = async () => (await entries())[0];

  /** A person with an article, a comment under another's, a listing and an article that waits for its date. */
  async function writer(username: string) {
    const { id } = await person(username);
    const article = await world.article({ username }, { title: `Heron ${username}`, tags: ["wool"] });
    const under = await world.article({ username: "mo" }, { title: `Pond of ${username}` });
    const comment = await world.comment(
      { username },
      { article: under.slug, body_markdown: `Egret ${username}` },
    );
    const listing = await world.listing({ username }, { title: `Stork ${username}` });
    return { id, article, under, comment, listing };
  }

  return {
    get world() {
      return world;
    },
    people,
    person,
    of,
    get,
    post,
    call,
    entries,
    newest,
    writer,
  };
}

export type Written = Awaited<ReturnType<ReturnType<typeof moderatingForAll>["writer"]>>;
