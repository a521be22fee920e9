import { sql } from "kysely";
import type { Settings } from "../src/settings/fields.ts";
import * as settings from "../src/settings/settings.ts";
import * as sessions from "../src/users/sessions.ts";
import { mailingIn } from "./mailing.ts";
import { BASE_URL, startWorld } from "./world.ts";

export const NOW = new Date("2026-03-02T10:00:00Z");
export const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
export const PASSWORD = "a heron over still water";

const WANTED = {
  name: "Mo Ito",
  username: "mo",
  email: "mo@example.com",
  password: PASSWORD,
  shown: String(NOW.getTime() - 5_000),
};

export type Joining = Awaited<ReturnType<typeof startJoining>>;

/** A world with lena, an admin, mara, a moderator, and ada, a member, each on a browser; others join as mo. */
export async function startJoining() {
  // Buckets of requests refill by the computer's clock, on which no test may depend.
  const bursts = { read_burst: "10000", write_burst: "10000" };
  const world = await startWorld({ now: NOW, rateLimits: true, settings: bursts });
  const { db } = world;
  const cookies: Record<string, string> = {};
  for (const [username, role] of Object.entries({ lena: "admin", mara: "moderator", ada: "member" })) {
    const { id } = await world.user({ username, role, name: `${username} Ortiz` });
    const token = await sessions.begin(db, { userId: id, network: "", browser: "" }, NOW);
    cookies[username] = `__Host-session=${token}`;
  }
  const headersOf = (who: string) => ({ accept: "text/html", cookie: cookies[who] ?? "" });
  const post = (url: string, values: Record<string, string>, who = "") =>
    world.request({
      method: "POST",
      url,
      headers: { ...headersOf(who), "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(values).toString(),
    });
  return {
    ...world,
    /** Of the worker. */
    mailing: mailingIn(world),
    get: (url: string, who = "") => world.get(url, { headers: headersOf(who) }),
    post,
    join: (more: Record<string, string> = {}) => post("/signup", { ...WANTED, ...more }),
    /** Sends the form to which the link in an email leads. */
    finish(link: string, more: Record<string, string> = {}) {
      const { pathname, searchParams } = new URL(link, BASE_URL);
      const own = { ...Object.fromEntries(searchParams), link: pathname.split("/").at(-1) ?? "" };
      return post("/signup", { ...WANTED, ...own, ...more });
    },
    async mode(registration: Settings["registration"], member_invitations = 0) {
      await settings.set(db, "registration", registration);
      await settings.set(db, "member_invitations", String(member_invitations));
    },
    /** Those who have joined. */
    joined: () =>
      db
        .selectFrom("users")
        .leftJoin("unconfirmed_addresses", "user_id", "id")
        .select(["username", "role", "email", "address as unconfirmed", "origin"])
        .where("username", "like", "mo%")
        .orderBy("id")
        .execute(),
    waiting: () => db.selectFrom("sign_ups").selectAll().execute(),
    async reset() {
      world.setNow(NOW);
      await sql`delete from sign_in_failures`.execute(db);
      await sql`delete from sign_ups`.execute(db);
      await sql`delete from users where username like 'mo%'`.execute(world.superuser);
      await sql`delete from handles where username like 'mo%'`.execute(world.superuser);
      await sql`delete from invitations`.execute(world.superuser);
    },
  };
}

export const MO = {
  username: "mo",
  role: "member",
  email: null,
  unconfirmed: "mo@example.com",
  origin: "registration",
};
