import { sql } from "kysely";
import * as sessions from "../src/users/sessions.ts";
import { localServer, startMailServer } from "./mail-server.ts";
import { mailingIn } from "./mailing.ts";
import { startWorld } from "./world.ts";

export const NOW = new Date("2026-03-02T10:00:00Z");
export const hoursAfter = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
export const PATH = "/settings/account";
export const OLD = "lena@old.example";

export type Addressing = Awaited<ReturnType<typeof startAddressing>>;
type Who = "lena" | "ada" | "";

/** A world with a mail server, lena, who has an address, and ada, who has none, each on a browser. */
export async function startAddressing() {
  // Buckets of requests refill by the computer's clock, on which no test may depend.
  const bursts = { read_burst: "10000", write_burst: "10000" };
  const world = await startWorld({ now: NOW, rateLimits: true, settings: bursts });
  const { db } = world;
  const server = await startMailServer();
  const mailing = mailingIn(world);
  const ids = { lena: 0, ada: 0, "": 0 };
  const cookies = { lena: "", ada: "", "": "" };
  for (const username of ["lena", "ada"] as const) ids[username] = (await world.user({ username })).id;

  async function begin(who: Who): Promise<string> {
    const device = { network: "203.0.113.0/24", browser: "Firefox" };
    const token = await sessions.begin(db, { userId: ids[who], ...device }, world.context.now());
    return `__Host-session=${token}`;
  }
  const post = (url: string, values: Record<string, string> = {}, who: Who = "") =>
    world.request({
      method: "POST",
      url,
      headers: {
        accept: "text/html",
        cookie: cookies[who],
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(values).toString(),
    });
  const send = () => mailing.send({ server: localServer(server.port) });
  /** Sends what is due. Returns the path of the link in the last mail to an address. */
  async function linkTo(address: string): Promise<string> {
    await send();
    const text = server.received.findLast(({ to }) => to.includes(address))?.mail.text ?? "";
    return /ink\.example(\/confirm\/[\w-]{43})/.exec(text)?.[1] ?? "";
  }
  const give = (email: string, who: Who = "lena") => post(PATH, { email }, who);

  return {
    ...world,
    server,
    mailing,
    ids,
    post,
    send,
    linkTo,
    give,
    page: async (who: Who = "lena") =>
      (await world.get(PATH, { headers: { accept: "text/html", cookie: cookies[who] } })).text,
    press: (act: string, who: Who = "lena") => post(PATH, { act }, who),
    /** Gives an address and confirms it. */
    async change(email: string, who: Who = "lena") {
      await give(email, who);
      const { status } = await post(await linkTo(email));
      if (status !== 200) throw new Error(`${email} isn't confirmed.`);
    },
    /** Signs one of them in again. */
    async signIn(who: Who) {
      cookies[who] = await begin(who);
    },
    emailOf: async (who: "lena" | "ada") =>
      (await db.selectFrom("users").select("email").where("username", "=", who).executeTakeFirst())?.email,
    waiting: async () =>
      (await db.selectFrom("unconfirmed_addresses").select("address").execute()).map(
        ({ address }) => address,
      ),
    async reset() {
      world.setNow(NOW);
      world.context.config.mail = localServer(server.port);
      server.answerWith(() => undefined);
      server.received.length = 0;
      for (const table of ["sign_in_failures", "unconfirmed_addresses", "mails"])
        await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`update users set email = null`.execute(db);
      await sql`update users set email = case when username = 'lena' then ${OLD} end`.execute(db);
      cookies.lena = await begin("lena");
      cookies.ada = await begin("ada");
    },
    async stop() {
      await server.stop();
      await world.stop();
    },
  };
}
