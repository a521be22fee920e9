import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Settings } from "../src/platform/settings/fields.ts";
import * as settings from "../src/platform/settings/settings.ts";
import * as sessions from "../src/community/users/sessions.ts";
import { localServer, mailingIn, startMailServer } from "./mail-server.ts";
import { BASE_URL, type Reply, startWorld, type World } from "./world.ts";

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

/** Sends the form of a page as browsers do. */
export const postForm = (
  { request }: Pick<World, "request">,
  url: string,
  values: Record<string, string> = {},
  headers: Record<string, string> = {},
) =>
  request({
    method: "POST",
    url,
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(values).toString(),
  });

export const cookieOf = ({ headers }: Pick<Reply, "headers">) =>
  String(headers["set-cookie"]).split(";")[0] ?? "";

/** The cookie of a new session. */
export const cookieFor = async ({ db, context }: World, userId: number, more: object = {}) =>
  `__Host-session=${await sessions.begin(db, { userId, network: "203.0.113.0/24", browser: "Firefox", ...more }, context.now())}`;

type Joining = Awaited<ReturnType<typeof startJoining>>;

/** One for all tests of a file, each of which begins in a mode and without those who joined before. */
export function joiningForEach(mode: Settings["registration"], { hasMail = false } = {}): Joining {
  const joining = {} as Joining;
  beforeAll(async () => void Object.assign(joining, await startJoining()));
  beforeEach(async () => {
    await joining.reset();
    await joining.mode(mode);
    joining.context.config.mail = hasMail ? localServer(joining.server.port) : undefined;
  });
  afterAll(() => joining.stop());
  return joining;
}

/** A world with lena, an admin, mara, a moderator, and ada, a member, each on a browser; others join as mo. */
async function startJoining() {
  // Buckets of requests refill by the computer's clock, on which no test may depend.
  const bursts = { read_burst: "10000", write_burst: "10000" };
  const world = await startWorld({ now: NOW, rateLimits: true, settings: bursts });
  const { db } = world;
  const server = await startMailServer();
  const cookies: Record<string, string> = {};
  for (const [username, role] of Object.entries({ lena: "admin", mara: "moderator", ada: "member" })) {
    const { id } = await world.user({ username, role, name: `${username} Ortiz` });
    cookies[username] = await cookieFor(world, id);
  }
  const headersOf = (who: string) => ({ accept: "text/html", cookie: cookies[who] ?? "" });
  const post = (url: string, values: Record<string, string>, who = "") =>
    postForm(world, url, values, headersOf(who));
  return {
    ...world,
    server,
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
      server.received.length = 0;
      await sql`delete from mails`.execute(db);
      await sql`delete from sign_in_failures`.execute(db);
      await sql`delete from sign_ups`.execute(db);
      await sql`delete from users where username like 'mo%'`.execute(world.superuser);
      await sql`delete from handles where username like 'mo%'`.execute(world.superuser);
      await sql`delete from invitations`.execute(world.superuser);
    },
    async stop() {
      await server.stop();
      await world.stop();
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

export const hoursAfter = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
export const PATH = "/settings/account";
export const OLD = "lena@old.example";

type Addressing = Awaited<ReturnType<typeof startAddressing>>;
type Who = "lena" | "ada" | "";

/** One for all tests of a file, each of which begins as it was. */
export function addressingForEach(): Addressing {
  const world = {} as Addressing;
  beforeAll(async () => void Object.assign(world, await startAddressing()));
  beforeEach(() => world.reset());
  afterAll(() => world.stop());
  return world;
}

/** A world with a mail server, lena, who has an address, and ada, who has none, each on a browser. */
async function startAddressing() {
  // Buckets of requests refill by the computer's clock, on which no test may depend.
  const bursts = { read_burst: "10000", write_burst: "10000" };
  const world = await startWorld({ now: NOW, rateLimits: true, settings: bursts });
  const { db } = world;
  const server = await startMailServer();
  const mailing = mailingIn(world);
  const ids = { lena: 0, ada: 0, "": 0 };
  const cookies = { lena: "", ada: "", "": "" };
  for (const username of ["lena", "ada"] as const) ids[username] = (await world.user({ username })).id;

  const begin = (who: Who) => cookieFor(world, ids[who]);
  const post = (url: string, values: Record<string, string> = {}, who: Who = "") =>
    postForm(world, url, values, { cookie: cookies[who] });
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

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of RFC 6238 that an app shows, some steps of 30 seconds later or earlier. */
export function codeAt(secret: string, time: Date, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / 30_000) + steps));
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0x0f) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}
