import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailingIn, PASSWORD, startMailServer } from "../../../test/mail-server.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { enqueue } from "../../mail/queue.ts";

let world: World;
let post: Awaited<ReturnType<typeof startMailServer>>;
let lena: number;
let mail: Record<string, string> = {};

beforeAll(async () => {
  world = await startWorld();
  post = await startMailServer({ startTls: true, auth: true });
  lena = (await world.user({ username: "lena" })).id;
});
afterAll(async () => {
  await post.stop();
  await world.stop();
});
beforeEach(() => world.db.deleteFrom("mails").execute());

const withPassword = (password: string) => ({
  MAIL_URL: `smtp://site%40example.org:${encodeURIComponent(password)}@127.0.0.1:${post.port}`,
  MAIL_FROM: "hello@loom.example",
});
const inkstone = commandsWith(() => ({
  DATABASE_URL: urlOf(world.name),
  MAIL_URL: "",
  MAIL_FROM: "",
  ...mail,
}));

async function failed(): Promise<void> {
  await enqueue(world.db, { kind: "sign_in_link", userId: lena, about: {} }, new Date());
  await mailingIn(world).send({ server: undefined });
}

describe("with a server", () => {
  beforeAll(() => void (mail = withPassword(PASSWORD)));

  test("mail test sends an email at once, and prints the reply", async () => {
    expect(await inkstone("mail", "test", "mo@example.com")).toEqual({
      code: 0,
      out: "Sent to mo@example.com. The server replied: 250 OK: queued\n",
      err: "",
    });
    expect(post.received.at(-1)).toMatchObject({ to: ["mo@example.com"], isEncrypted: true });
    post.answerWith(() => [550, "5.1.1 Nobody here"]);
    const { code, out } = await inkstone("mail", "test", "mo@example.com", "--json");
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { address: "mo@example.com", result: "refused", reply: "550 5.1.1 Nobody here" },
    ]);
    post.answerWith(() => undefined);
    const { code: wrong, err } = await inkstone("mail", "test", "mo@example.com, lena@example.com");
    expect([wrong, err]).toEqual([2, expect.stringContaining("It must be an e-mail address")]);
  });

  test("doctor warns of the last failure until an email is sent", async () => {
    const line = async () => /^.* mail: .*$/m.exec((await inkstone("doctor")).out)?.[0];
    const through = `Emails go through 127.0.0.1:${post.port} as hello@loom.example`;
    expect(await line()).toBe(`ok    mail: ${through}; none was sent in 30 days, and 0 wait.`);
    await failed();
    expect(await line()).toContain(
      `warn  mail: ${through}; none was sent in 30 days, and 0 wait. 1 email failed`,
    );
    expect(await line()).toContain('the last with the reply "Mail is not set up."');
    await sql`update mails set finished_at = now() - interval '1 hour'`.execute(world.db);
    await sql`
      insert into mails (kind, user_id, about, created_at, state, finished_at)
      values ('password_changed', ${lena}, '{}', now(), 'sent', now())`.execute(world.db);
    expect(await line()).toMatch(/^ok {4}mail: .* 1 email failed in 30 days, and 0 will be tried again\.$/);
    const late = sql`'4.7.1 Come back', next_attempt_at = now() + interval '1 hour'`;
    await sql`update mails set state = 'pending', finished_at = null, reply = ${late}`.execute(world.db);
    expect(await line()).toMatch(
      /^warn .* and 2 will be tried again; the last with the reply "4\.7\.1 Come back"/,
    );
  });
});

describe("with a wrong password", () => {
  const secret = "hunter2-zebra";
  beforeAll(() => void (mail = withPassword(secret)));

  test("no command prints it", async () => {
    await failed();
    const all = [
      await inkstone("mail", "test", "mo@example.com"),
      await inkstone("doctor", "--json"),
      await inkstone("settings", "list"),
    ];
    expect(all[0]).toMatchObject({ code: 1, out: expect.stringContaining("535") });
    const encoded = Buffer.from(`\0site@example.org\0${secret}`).toString("base64");
    for (const text of [secret, encoded]) expect(JSON.stringify(all)).not.toContain(text);
  });
});

describe("without a server", () => {
  beforeAll(() => void (mail = {}));

  test("mail test says what to set, and doctor that nothing is amiss", async () => {
    expect(await inkstone("mail", "test", "mo@example.com")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Mail is not set up: set MAIL_URL and MAIL_FROM."),
    });
    expect((await inkstone("doctor")).out).toContain("ok    mail: MAIL_URL isn't set");
  });
});
