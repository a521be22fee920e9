import { describe, expect, test } from "vitest";
import { addressingForEach, hoursAfter, NOW, OLD, PASSWORD } from "../../../test/accounts.ts";
import { wordsIn } from "../../../test/canary.ts";
import { operator } from "../../http/actor.ts";
import { finishedWrites } from "../../platform/db/transaction.ts";
import * as links from "../../community/users/one-time-links.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import { lift, suspend } from "../../community/moderation/acts.ts";

const NEW = "lena@new.example";

const world = addressingForEach();

async function linkFor(email = NEW, who: "lena" | "ada" = "lena"): Promise<string> {
  await world.give(email, who);
  return world.linkTo(email);
}

describe("a link that confirms an address", () => {
  test("shows a button with the account, and changes nothing by that", async () => {
    const link = await linkFor();
    const { status, text, headers } = await world.get(link);
    expect([status, headers["referrer-policy"], headers["cache-control"]]).toEqual([
      200,
      "strict-origin",
      "private, no-store",
    ]);
    expect(text).toContain(`<strong>${NEW}</strong> will be the address of <strong>@lena</strong>`);
    expect(text).toContain("Confirm it for @lena");
    expect(await wordsIn(world.superuser, [link.slice(-43)])).toEqual(new Map());
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("gives the account the address without a session, and kept answers stay", async () => {
    const link = await linkFor();
    const writes = finishedWrites(world.db);
    const { status, text } = await world.post(link);
    expect(status).toBe(200);
    expect(text).toContain(`<strong>${NEW}</strong> is the address of @lena now.`);
    expect([await world.emailOf("lena"), await world.waiting()]).toEqual([NEW, []]);
    expect(finishedWrites(world.db)).toBe(writes);
    expect(await world.page()).toContain(`<strong>${NEW}</strong> is confirmed.`);
  });

  test("is what signing in by the address waits for", async () => {
    await passwords.store(world.db, world.ids.lena, await hashPassword(PASSWORD));
    const signIn = async (login: string) =>
      (await world.post("/signin", { login, password: PASSWORD })).status;
    const link = await linkFor();
    expect([await signIn(NEW), await signIn(OLD)]).toEqual([422, 303]);
    await world.post(link);
    expect([await signIn(NEW), await signIn(OLD), await signIn("lena")]).toEqual([303, 422, 303]);
  });

  test("works once, however many use it at once", async () => {
    const link = await linkFor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
    expect((await world.get(link)).text).toContain("works once, within 48 hours");
    await world.send();
    expect(world.server.received.map(({ to }) => to)).toEqual([[NEW], [OLD]]);
  });

  test("works for 48 hours", async () => {
    const link = await linkFor();
    world.setNow(new Date(hoursAfter(48).getTime() - 1));
    expect((await world.get(link)).status).toBe(200);
    world.setNow(hoursAfter(48));
    expect([(await world.get(link)).status, (await world.post(link)).status]).toEqual([404, 404]);
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("whose mail is sent again after a greylisting is the one in the mail that arrived", async () => {
    await world.give(NEW);
    world.server.answerWith(() => [451, "4.7.1 Greylisted"]);
    await world.send();
    world.server.answerWith(() => undefined);
    world.setNow(new Date(NOW.getTime() + 60_000));
    expect((await world.post(await world.linkTo(NEW))).status).toBe(200);
  });

  test("does nothing for a suspended account", async () => {
    const link = await linkFor();
    await suspend(operator(world.db), { id: world.ids.lena });
    expect([(await world.get(link)).status, (await world.post(link)).status]).toEqual([404, 404]);
    await lift(operator(world.db), { id: world.ids.lena });
    expect(await world.emailOf("lena")).toBe(OLD);
  });

  test("may change the case of an address, which no mail announces", async () => {
    await world.change("Lena@old.example");
    await world.send();
    expect(await world.emailOf("lena")).toBe("Lena@old.example");
    expect(world.server.received).toHaveLength(1);
  });

  test("ends a sign-in link that the old address has got", async () => {
    const ofSignIn = await links.create(world.db, world.ids.lena, NOW);
    await world.change(NEW);
    expect(await links.find(world.db, ofSignIn, NOW)).toBeUndefined();
  });

  test("opens nothing else, nor does a link of another kind", async () => {
    const token = (await linkFor()).split("/").at(-1) ?? "";
    for (const path of ["signin/link", "setup", "unsubscribe", "invite", "signup"])
      expect([path, (await world.get(`/${path}/${token}`)).status]).toEqual([path, 404]);
    const ofSignIn = await links.create(world.db, world.ids.lena, NOW);
    for (const other of [ofSignIn, "A".repeat(43), "x"])
      expect((await world.post(`/confirm/${other}`)).status).toBe(404);
  });
});

describe("an address that two accounts wait for", () => {
  test("is that of the first to confirm it; the other learns it, and keeps its own", async () => {
    const [ofLena, ofAda] = [await linkFor(), await linkFor(NEW, "ada")];
    expect((await world.post(ofAda)).status).toBe(200);
    for (const { status, text } of [await world.get(ofLena), await world.post(ofLena)]) {
      expect(status).toBe(409);
      expect(text).toContain("Another account has this address");
    }
    expect([await world.emailOf("lena"), await world.emailOf("ada")]).toEqual([OLD, NEW]);
    expect(await world.waiting()).toEqual([NEW]);
    await world.press("remove", "ada");
    expect((await world.post(ofLena)).status).toBe(200);
  });

  test("is that of one of them if both confirm it at once", async () => {
    for (let round = 0; round < 3; round++) {
      await world.reset();
      const both = [await linkFor(), await linkFor("LENA@new.example", "ada")];
      const answers = await Promise.all([...both, ...both, ...both].map((link) => world.post(link)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const emails = [await world.emailOf("lena"), await world.emailOf("ada")];
      expect(emails.filter((email) => email?.toLowerCase() === NEW)).toHaveLength(1);
    }
  });
});
