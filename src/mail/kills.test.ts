import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { cases } from "../../test/setup.ts";
import { startMailServer } from "../../test/mail-server.ts";
import { databaseForAll } from "../../test/own-database.ts";
import { urlOf } from "../../test/commands.ts";
import { startServerProcess } from "../../test/servers.ts";
import { until } from "../../test/waiting.ts";
import { connect, type Connection } from "../platform/db/connect.ts";
import { superuserTo } from "../../test/database.ts";
import { enqueue } from "./queue.ts";

const KILLS = cases(20, 2);
const MAILS = cases(200, 40);

const database = databaseForAll();
let post: Awaited<ReturnType<typeof startMailServer>>;
let connection: Connection;

beforeAll(async () => {
  post = await startMailServer();
  connection = connect({ connection: superuserTo(database.name), poolSize: 1 });
});
afterAll(async () => {
  await connection.db.destroy();
  await post.stop();
});

test(`${KILLS} kills of a server that sends leave every mail sent, none under two names`, async () => {
  const { db } = connection;
  const settings = { MAIL_URL: `smtp://127.0.0.1:${post.port}`, MAIL_FROM: "hello@loom.example" };
  const start = () => startServerProcess(urlOf(database.name), settings);
  let server = await start();
  await sql`insert into handles (username, kind) values ('lena', 'user')`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into users (username, name) values ('lena', 'Lena') returning id`.execute(db);
  const userId = rows[0]?.id as number;
  for (let kill = 1; kill <= KILLS; kill++) {
    const goal = post.received.length + Math.floor(MAILS / KILLS / 2);
    for (let number = 0; number < MAILS / KILLS; number++) {
      const address = `${kill}-${number}@example.com`;
      await enqueue(db, { kind: "password_changed", userId, address, about: {} }, new Date());
    }
    await until(() => post.received.length >= goal);
    await server.kill();
    // Their leases would end in a minute.
    await sql`update mails set leased_until = now() where lease is not null`.execute(db);
    server = await start();
  }
  const left = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from mails where state <> 'sent'`.execute(db);
    return rows[0]?.count;
  };
  await until(async () => (await left()) === 0);
  await server.kill();
  const names = new Map<string, Set<string>>();
  for (const { to, mail } of post.received)
    names.set(to[0] ?? "", (names.get(to[0] ?? "") ?? new Set()).add(mail.messageId ?? ""));
  expect(names.size).toBe(MAILS);
  expect([...names.values()].filter((ids) => ids.size !== 1)).toEqual([]);
  // A kill repeats the one mail that was on its way, at most.
  expect(post.received.length).toBeLessThanOrEqual(MAILS + KILLS);
}, 400_000);
