import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Addressing, hoursAfter, NOW, OLD, PATH, startAddressing } from "../../../test/addressing.ts";
import { wordsIn } from "../../../test/canary-traces.ts";
import { finishedWrites } from "../../db/transaction.ts";
import * as links from "../../users/one-time-links.ts";
import * as sessions from "../../users/sessions.ts";
import * as factors from "../../users/second-factor.ts";
import { purgeSignIns } from "../../users/sign-in.ts";

const [B, C] = ["thief@b.example", "thief@c.example"];
const WEEK = 7 * 24;

let world: Addressing;
beforeAll(async () => {
  world = await startAddressing();
});
beforeEach(() => world.reset());
afterAll(() => world.stop());

const alive = () => sessions.list(world.db, world.ids.lena, NOW);
const formers = async () =>
  (await world.db.selectFrom("former_addresses").select("address").orderBy("id").execute()).map(
    ({ address }) => address,
  );

describe("the link that an old address gets", () => {
  test("comes when the new one is confirmed, and shows a button alone", async () => {
    await world.give(B);
    await world.send();
    expect(world.linksTo(OLD)).toEqual([]);
    await world.change(B);
    const link = await world.linkTo(OLD);
    const { status, text, headers } = await world.get(link);
    expect([status, headers["referrer-policy"]]).toEqual([200, "strict-origin"]);
    expect(text).toContain(`<strong>${OLD}</strong> becomes the address of <strong>@lena</strong> again`);
    expect([await world.emailOf("lena"), (await alive()).length > 0]).toEqual([B, true]);
    expect(await wordsIn(world.superuser, [link.slice(-43)])).toEqual(new Map());
  });

  test("brings it back, ends all sessions and links, and what waits; kept answers stay", async () => {
    await world.change(B);
    const link = await world.linkTo(OLD);
    await world.give(C);
    const waiting = await world.linkTo(C);
    const ofSignIn = await links.create(world.db, world.ids.lena, NOW);
    const writes = finishedWrites(world.db);
    const { status, text } = await world.post(link);
    expect(status).toBe(200);
    expect(text).toContain(
      `<strong>${OLD}</strong> is the address of @lena again, and all browsers are signed out.`,
    );
    expect(text).toContain('href="/reset"');
    expect([await world.emailOf("lena"), await world.waiting(), await alive()]).toEqual([OLD, [], []]);
    expect(await links.find(world.db, ofSignIn, NOW)).toBeUndefined();
    expect((await world.post(waiting)).status).toBe(404);
    expect((await world.post(PATH, { email: C }, "lena")).status).toBe(401);
    expect(finishedWrites(world.db)).toBe(writes);
    await world.send();
    const last = world.server.received.at(-1);
    expect(last?.to).toEqual([B]);
    expect(last?.mail.text).toContain("A link in a mail to an earlier address restored that address.");
  });

  test("says whom to ask where a thief has turned a second factor on", async () => {
    await world.change(B);
    expect((await world.post(await world.linkTo(OLD))).text).not.toContain("second factor");
    await world.signIn("lena");
    await world.change(B);
    await factors.storeSecret(world.db, world.ids.lena, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", NOW);
    expect((await world.post(await world.linkTo(OLD))).text).toMatch(
      /Ask an admin for help .*second\s+factor/s,
    );
    await factors.turnOff(world.db, world.ids.lena, NOW);
  });

  test("works after a second change, and that of the second doesn't outlive it", async () => {
    await world.change(B);
    await world.change(C);
    await world.send();
    const [ofOwner = "", ofThief = ""] = [...world.linksTo(OLD), ...world.linksTo(B).slice(1)];
    expect(await formers()).toEqual([OLD, B]);
    expect((await world.post(ofOwner)).status).toBe(200);
    expect([await world.emailOf("lena"), await formers()]).toEqual([OLD, []]);
    expect((await world.post(ofThief)).status).toBe(404);
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("works after the thief's own was used", async () => {
    await world.change(B);
    await world.change(C);
    await world.send();
    expect((await world.post(world.linksTo(B)[1] ?? "")).status).toBe(200);
    expect(await world.emailOf("lena")).toBe(B);
    expect((await world.post(world.linksTo(OLD)[0] ?? "")).status).toBe(200);
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("works after the address was removed", async () => {
    await world.press("remove");
    expect((await world.post(await world.linkTo(OLD))).status).toBe(200);
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("works once, however many use it at once", async () => {
    await world.change(B);
    const link = await world.linkTo(OLD);
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  test("wins against a change that is confirmed, and one that is asked for, at the same time", async () => {
    for (let round = 0; round < 3; round++) {
      await world.reset();
      await world.change(B);
      const link = await world.linkTo(OLD);
      await world.give(C);
      const waiting = await world.linkTo(C);
      const answers = await Promise.all([world.post(waiting), world.give("x@c.example"), world.post(link)]);
      expect(answers[2].status).toBe(200);
      expect([await world.emailOf("lena"), await world.waiting(), await formers()]).toEqual([OLD, [], []]);
    }
  });

  test("works for 7 days, after which the address is forgotten", async () => {
    await world.change(B);
    const link = await world.linkTo(OLD);
    world.setNow(new Date(hoursAfter(WEEK).getTime() - 1));
    expect((await world.get(link)).status).toBe(200);
    await purgeSignIns(world.db, hoursAfter(WEEK - 1));
    expect(await formers()).toEqual([OLD]);
    world.setNow(hoursAfter(WEEK));
    for (const { status, text } of [await world.get(link), await world.post(link)]) {
      expect(status).toBe(404);
      expect(text).toContain("works once, for 7 days");
    }
    expect(await world.emailOf("lena")).toBe(B);
    await purgeSignIns(world.db, hoursAfter(WEEK));
    expect(await formers()).toEqual([]);
  });

  test("takes no address from another account that has confirmed it meanwhile", async () => {
    await world.change(B);
    const link = await world.linkTo(OLD);
    await world.change(OLD, "ada");
    const { status, text } = await world.post(link);
    expect(status).toBe(409);
    expect(text).toContain("Another account has this address");
    expect([await world.emailOf("lena"), await world.emailOf("ada")]).toEqual([B, OLD]);
    expect((await alive()).length).toBeGreaterThan(0);
  });

  test("opens nothing else", async () => {
    await world.change(B);
    const token = (await world.linkTo(OLD)).split("/").at(-1) ?? "";
    for (const path of ["signin/link", "setup", "unsubscribe", "confirm", "invite"])
      expect([path, (await world.get(`/${path}/${token}`)).status]).toEqual([path, 404]);
    expect((await world.post("/address/x")).status).toBe(404);
  });
});

test("a confirmed change ends a sign-in link that the old address has got", async () => {
  const link = await links.create(world.db, world.ids.lena, NOW);
  await world.change(B);
  expect(await links.find(world.db, link, NOW)).toBeUndefined();
});
