import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FROM, localServer, mailingIn, type Received, startMailServer } from "../../../test/mail-server.ts";
import { startWorld, type World } from "../../../test/world.ts";
import * as choices from "../../mail/choices.ts";
import { type About, type Kind, KINDS } from "../../mail/kinds.ts";
import { enqueue } from "../../mail/queue.ts";
import * as settings from "../../platform/settings/settings.ts";
import { plainText } from "../../content/text/plain-text.ts";
import { sanitise } from "../../content/text/sanitise.ts";
import { operator } from "../../http/actor.ts";
import * as log from "../log/log.ts";
import * as addresses from "../users/addresses.ts";
import * as invitations from "../users/invitations.ts";
import * as links from "../users/one-time-links.ts";
import * as signUps from "../users/sign-ups.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const GOLDEN = join(import.meta.dirname, "..", "..", "..", "test", "golden", "mails");

let world: World;
let mailing: ReturnType<typeof mailingIn>;
let post: Awaited<ReturnType<typeof startMailServer>>;
let lena: { id: number; username: string };
let endpoint: number;
let logged: number;
let noor: { id: number; username: string };
/** The ids of lena's notifications of noor's acts, by kind. */
let told: Record<"reply" | "comment" | "mention", number>;

beforeAll(async () => {
  world = await startWorld({ now: NOW, settings: { community_name: "Loom Folk" } });
  mailing = mailingIn(world);
  post = await startMailServer();
  lena = await world.user({ username: "lena", name: "Lena Ortiz" });
  await world.db.updateTable("users").set({ email: "lena@example.com" }).execute();
  await addresses.wait(world.db, { userId: lena.id, address: "lena@example.com" }, NOW);
  endpoint = (await world.webhook(lena, { target_url: "https://hooks.example/a" })).id;
  noor = await world.user({ username: "noor" });
  const looms = { article: (await world.article(lena, { slug: "looms-1a" })).slug };
  const [first, second] = [await world.comment(noor, looms), await world.comment(noor, looms)];
  const warp = await world.article(noor, { slug: "warp-1a", title: "Looms" });
  const on = { kind: "article", id: warp.id } as const;
  const act = { act: "unpublish_article", on, userId: lena.id, reason: "Please name your sources." } as const;
  await log.record(
    world.db,
    operator(world.db, () => NOW),
    act,
  );
  logged = Number((await log.list(world.db, { limit: 1 }))[0]?.id);
  told = {
    comment: await tell("comment", { comment_id: first.id }),
    reply: await tell("reply", { comment_id: second.id }),
    mention: await tell("mention", { article_id: warp.id }),
  };
  await choices.turn(world.db, { userId: lena.id, kind: "mention" }, true);
});

/** Notifies lena. */
async function tell(kind: string, subject: { comment_id: number } | { article_id: number }) {
  const row = { user_id: lena.id, actor_id: noor.id, kind, ...subject };
  const { id } = await world.db
    .insertInto("notifications")
    .values(row)
    .returning("id")
    .executeTakeFirstOrThrow();
  return Number(id);
}
afterAll(async () => {
  await post.stop();
  await world.stop();
});
beforeEach(async () => {
  post.received.length = 0;
  await settings.set(world.db, "community_name", "Loom Folk");
  await peopleWhoJoin("I mend looms.");
  await setWords("Noor", "Looms", "Mind the <em>weft</em>.");
  await disabled("https://hooks.example/a", "No delivery to the endpoint has succeeded for five days.");
});

const disabled = (target_url: string, disabled_reason: string) =>
  world.db
    .updateTable("webhook_endpoints")
    .set({ target_url, disabled_reason, disabled_at: NOW })
    .where("id", "=", endpoint)
    .execute();

/** Gives noor, the articles and the comments these words. */
async function setWords(name: string, title: string, words: string): Promise<void> {
  await world.db.updateTable("users").set({ name }).where("id", "=", noor.id).execute();
  await world.db.updateTable("articles").set({ title }).execute();
  await world.db
    .updateTable("comments")
    .set({ body_html: `<p>${words}</p>` })
    .execute();
}

let joining: { declined: number; invitation: number };

/** What mails about joining are about, with people's own words in it. */
async function peopleWhoJoin(words: string): Promise<void> {
  const { db } = world;
  for (const table of ["sign_ups", "invitations"]) await sql`delete from ${sql.table(table)}`.execute(db);
  const person = {
    name: words,
    reason: words,
    password_hash: "",
    network: "",
  };
  for (const username of ["wen", "ada"])
    await signUps.apply(db, { ...person, username, email: `${username}@example.com` }, NOW);
  const declined = (await signUps.listApplied(db)).at(-1)?.id ?? 0;
  await signUps.decline(db, { id: declined, reason: words }, NOW);
  const inviter = { id: lena.id, role: "admin" };
  const invitation = { inviter, address: "mo@example.com", note: words };
  const { id } = await invitations.create(db, invitation, { settings: settings.defaults(), now: NOW });
  joining = { declined, invitation: id };
}

const abouts = (): About => ({
  sign_up_link: { next: "/tags" },
  sign_in_link: {},
  password_changed: {},
  second_factor_changed: { change: "codes" },
  invitation: { invitation_id: joining.invitation },
  applications_waiting: {},
  application_approved: {},
  application_declined: { sign_up_id: joining.declined },
  confirm_address: {},
  address_changed: {},
  moderation: { log_id: logged },
  webhook_disabled: { webhook_endpoint_id: endpoint },
  comment_reply: { notification_id: told.reply },
  article_comment: { notification_id: told.comment },
  mention: { notification_id: told.mention },
});

const ALL = Object.keys(KINDS) as Kind[];

async function mailOf(kind: Kind, about = abouts()[kind], from = FROM): Promise<Received> {
  await enqueue(world.db, { kind, userId: lena.id, about }, NOW);
  await mailing.send({ server: { ...localServer(post.port), from } });
  return post.received.at(-1) as Received;
}

const hrefsIn = (html: string) => [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href);
const bodyOf = (html: string) => /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? "";

describe.each(ALL)("a mail of the kind %s", (kind) => {
  test("is as its golden file", async () => {
    const { mail } = await mailOf(kind);
    const shown = mail.headerLines
      .map(({ line }) => line.replace(/boundary=".*"/, "boundary=BOUNDARY"))
      .filter((line) => !/^(?:Date|Message-ID):/.test(line));
    const text = [...shown, "", mail.text, "", mail.html, ""].join("\n");
    await expect(text.replaceAll(/[\w-]{43}/g, "TOKEN")).toMatchFileSnapshot(join(GOLDEN, `${kind}.txt`));
  });

  test("stays one mail of limited size, with links to this site alone, whatever the names in it", async () => {
    const nasty = `</p><a href="https://evil.example">x</a>&\u202e\r\nBcc: mo@evil.example\r\n\r\n${"𝔘&<\"'".repeat(400)}`;
    await peopleWhoJoin(nasty);
    await setWords(nasty.slice(0, 100), nasty.slice(0, 100), nasty);
    await disabled(`https://hooks.example/${nasty.slice(0, 400)}`, nasty);
    await world.db
      .updateTable("settings")
      .set({ value: JSON.stringify(nasty.slice(0, 100)) })
      .where("key", "=", "community_name")
      .execute();
    const { mail, raw, to } = await mailOf(kind, abouts()[kind], { name: nasty, address: FROM.address });
    expect(to).toEqual(["lena@example.com"]);
    expect(mail.headers.has("bcc")).toBe(false);
    expect([mail.from?.value.length, [mail.to].flat().length]).toEqual([1, 1]);
    const html = mail.html || "";
    for (const href of hrefsIn(html)) expect(new URL(href).origin).toBe("https://ink.example");
    expect(hrefsIn(html).length).toBeGreaterThan(0);
    expect(html.length + Buffer.byteLength(mail.text ?? "")).toBeLessThan(20_000);
    expect(raw.length).toBeLessThan(40_000);
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/);
  });

  test("has HTML that the sanitizer leaves as it is, but for its styles", async () => {
    const { mail } = await mailOf(kind);
    const body = bodyOf(mail.html || "");
    const clean = sanitise(body);
    expect(hrefsIn(clean)).toEqual(hrefsIn(body));
    expect(plainText(clean)).toBe(plainText(body));
    expect(mail.html).toContain('<html lang="en">');
    expect(mail.html).not.toMatch(/<(?:img|style|script|link)\b/);
  });
});

test("the mail that finishes a sign-up goes to an address that nobody has", async () => {
  await world.db.updateTable("users").set({ email: null }).where("id", "=", lena.id).execute();
  await enqueue(
    world.db,
    { kind: "sign_up_link", address: "lena@example.com", about: abouts().sign_up_link },
    NOW,
  );
  await mailing.send({ server: localServer(post.port) });
  await world.db.updateTable("users").set({ email: "lena@example.com" }).where("id", "=", lena.id).execute();
  const [{ mail }] = post.received as [Received];
  expect(mail.subject).toBe("Finish your sign-up to Loom Folk");
  expect(mail.text?.replaceAll(/[\w-]{43}/g, "TOKEN")).toContain(
    "https://ink.example/signup/TOKEN?email=lena%40example.com&next=%2Ftags\n",
  );
});

test("a link to sign in is made when its mail is sent, works for an hour, and the next mail's ends it", async () => {
  await enqueue(world.db, { kind: "sign_in_link", userId: lena.id, about: {} }, NOW);
  const stored = JSON.stringify(await world.db.selectFrom("mails").selectAll().execute());
  const tokenOf = ({ mail }: Received) => /\/signin\/link\/([\w-]{43})/.exec(mail.text ?? "")?.[1] ?? "";
  await mailing.send({ server: localServer(post.port) });
  const first = tokenOf(post.received[0] as Received);
  expect(stored).not.toContain(first);
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  expect(await links.find(world.db, first, at(59))).toMatchObject({ owner: lena.id });
  expect(await links.find(world.db, first, at(60))).toBeUndefined();
  const second = tokenOf(await mailOf("sign_in_link"));
  expect(await links.find(world.db, first, NOW)).toBeUndefined();
  expect(await links.find(world.db, second, NOW)).toMatchObject({ owner: lena.id });
});

test("a mail to an address that another account has confirmed names both, and has no link that confirms", async () => {
  const ada = await world.user({ username: "ada" });
  await addresses.askToConfirm(world.db, { userId: ada.id, address: "Lena@example.com" }, NOW);
  await mailing.send({ server: localServer(post.port) });
  const [{ mail } = {} as Received] = post.received;
  expect(mail.subject).toBe("Your address was given on Loom Folk again");
  expect(mail.text).toContain("@ada gave this address on Loom Folk. It belongs to @lena, and stays there.");
  expect(hrefsIn(mail.html || "")).toEqual(["https://ink.example/settings/account", "https://ink.example"]);
});

test("a mail to an old address names the address for questions, if there is one", async () => {
  await settings.set(world.db, "contact_email", "hello@loom.example");
  const { mail } = await mailOf("address_changed");
  await settings.set(world.db, "contact_email", "");
  expect(mail.text).toContain("If not, write to hello@loom.example for help at once.");
});

test("a mail about an endpoint that works again, or is gone, isn't sent", async () => {
  await world.db.updateTable("webhook_endpoints").set({ disabled_at: null, disabled_reason: null }).execute();
  await mailOf("webhook_disabled");
  await mailOf("webhook_disabled", { webhook_endpoint_id: 0 });
  expect(post.received).toEqual([]);
});

test("a mail of a notification that is read, not shown any more or another user's isn't sent", async () => {
  const { db } = world;
  const hidden = { comment_id: (await world.comment(noor, { article: "looms-1a" })).id };
  const gone = await tell("comment", hidden);
  const read = await tell("mention", { article_id: (await world.article(noor, { slug: "weft-1a" })).id });
  await db.updateTable("comments").set({ hidden: true }).where("id", "=", hidden.comment_id).execute();
  await db.updateTable("notifications").set({ read_at: NOW }).where("id", "=", String(read)).execute();
  await mailOf("article_comment", { notification_id: gone });
  await mailOf("mention", { notification_id: read });
  await enqueue(db, { kind: "mention", userId: noor.id, about: abouts().mention }, NOW);
  await mailing.send({ server: localServer(post.port) });
  expect([post.received, await mailing.mails()]).toEqual([
    [],
    expect.not.arrayContaining([expect.objectContaining({ state: "pending" })]),
  ]);
});
