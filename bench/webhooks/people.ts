import type { Db } from "../../src/db/connect.ts";
import { operator } from "../../src/actor.ts";
import * as keys from "../../src/users/keys.ts";
import * as users from "../../src/users/users.ts";
import type { createSender } from "../writes/over-http.ts";

/** A person whose articles get reactions. */
export interface Owner {
  articleIds: number[];
}

export interface Reactor {
  id: number;
  username: string;
}

type Send = ReturnType<typeof createSender>["send"];

/** Makes people who react. */
export async function makeReactors(db: Db, count: number): Promise<Reactor[]> {
  const reactors: Reactor[] = [];
  for (let number = 0; number < count; number += 1) {
    reactors.push(
      await users.create(operator(db), { username: `reactor_${number}`, name: `Reactor ${number}` }),
    );
  }
  return reactors;
}

interface Wanted {
  username: string;
  targetUrl: string;
  articles: number;
}

/** Creates a person with articles and an endpoint for reactions. */
export async function makeOwner(
  db: Db,
  send: Send,
  { username, targetUrl, articles }: Wanted,
): Promise<Owner> {
  const { id } = await users.create(operator(db), { username, name: username });
  const { key } = await keys.create(db, { userId: id, description: "Bench" }, new Date());
  const articleIds: number[] = [];
  for (let number = 1; number <= articles; number += 1) {
    const article = { title: `By ${username}: ${number}`, body_markdown: "Some words.", published: true };
    const answer = await send({ method: "POST", path: "/api/articles", key, body: { article } });
    articleIds.push((JSON.parse(String(answer)) as { id: number }).id);
  }
  const webhook_endpoint = { source: "bench", target_url: targetUrl, events: ["reaction_created"] };
  await send({ method: "POST", path: "/api/webhooks", key, body: { webhook_endpoint } });
  return { articleIds };
}
