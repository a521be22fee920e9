import { sql } from "kysely";
import { expect } from "vitest";
import * as notifications from "../src/notifications/notifications.ts";
import { notification } from "../src/notifications/view.ts";
import type { World } from "./world.ts";

/** Helpers for notifications, in a world with a set time. */
export function tellingIn(world: World, now: Date) {
  async function send(person: { id: number }, method: string, url: string, body?: object) {
    const reply = await world.request({ method, url, key: await world.key(person), body });
    expect([url, reply.status < 300]).toEqual([url, true]);
    return reply.body as { id: number; path: string };
  }

  return {
    fanOut: () => notifications.fanOut(world.db, now),
    async shown({ id }: { id: number }) {
      return (await notifications.list(world.db, id, 100)).map(notification);
    },
    /** The pending tasks. */
    async left() {
      const { rows } = await sql`
        select from outbox where consumer = 'notifications' union all select from announcements where due_at < 'infinity'`.execute(
        world.db,
      );
      return rows.length;
    },
    /** Publishes an article. */
    publish(author: { id: number }, title: string, more: object = {}) {
      const article = { title, body_markdown: "Some words.", published: true, ...more };
      return send(author, "POST", "/api/articles", { article });
    },
    /** Sends a request of a person, which succeeds. */
    send,
  };
}

export type Telling = ReturnType<typeof tellingIn>;
