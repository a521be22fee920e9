import { beforeEach, describe, expect, test } from "vitest";
import { hoursAfter, OLD, PATH, addressingForEach } from "../../../test/accounts.ts";
import { finishedWrites } from "../../platform/db/transaction.ts";
import * as settings from "../../platform/settings/settings.ts";

const SHOUTED = "LENA@old.example";
const NEW = "lena@new.example";

const world = addressingForEach();

describe("the page of the account", () => {
  test("has the username, the confirmed address, and what removing it means", async () => {
    const text = await world.page();
    expect(text).toContain("<strong>@lena</strong>");
    expect(text).toContain(`<strong>${OLD}</strong> is confirmed.`);
    expect(text).toContain("Without an address, only your username signs you in");
    expect(text).toContain("Change the address");
    expect(text).toMatch(/<input id="email" name="email"[^>]* autocomplete="email"[^>]* type="email"/);
  });

  test("says that there is none", async () => {
    const text = await world.page("ada");
    expect(text).toContain("You have no confirmed address: only your username signs you in");
    expect(text).toContain("Give an address");
    expect(text).not.toContain("Remove the address");
  });

  test("shows one that waits, until when its link works, and that it has expired", async () => {
    await world.give(NEW);
    const text = await world.page();
    expect(text).toContain(`<strong>${NEW}</strong> is not confirmed, and signs nobody in.`);
    expect(text).toContain("which works until 4 March 2026 at 10:00 UTC.");
    expect(text).toContain(OLD);
    world.setNow(hoursAfter(48));
    expect(await world.page()).toContain("The link in the last email to it has expired.");
  });

  test("says why the last mail to each address didn't arrive", async () => {
    world.server.answerWith((to) => [550, to === NEW ? "5.1.1 Nobody here" : "5.2.2 Full"]);
    await world.give(NEW);
    await world.send();
    expect(await world.page()).toContain("couldn’t be delivered: 550 5.1.1 Nobody here");
    expect(await world.page()).not.toContain("5.2.2 Full");
  });

  test("asks for the password before a change if it was given long ago", async () => {
    world.setNow(hoursAfter(1));
    expect(await world.page()).toContain('href="/confirm-password?next=%2Fsettings%2Faccount"');
    for (const values of [{ email: NEW }, { act: "remove" }]) {
      const { status, headers } = await world.post(PATH, values, "lena");
      expect([status, headers["location"]]).toEqual([303, "/confirm-password?next=%2Fsettings%2Faccount"]);
    }
    expect([await world.waiting(), await world.emailOf("lena")]).toEqual([[], OLD]);
  });
});

describe("giving another address", () => {
  test("stores it, mails it a link, and keeps the old one and all kept answers until then", async () => {
    const writes = finishedWrites(world.db);
    const { status, headers } = await world.give(`  ${NEW} `);
    expect([status, headers["location"]]).toEqual([303, `${PATH}?done=address_sent`]);
    expect(await world.linkTo(NEW)).toMatch(/^\/confirm\/[\w-]{43}$/);
    expect(await world.emailOf("lena")).toBe(OLD);
    expect(world.server.received.map(({ to }) => to)).toEqual([[NEW]]);
    expect(finishedWrites(world.db)).toBe(writes);
    const stored = await world.db.selectFrom("mails").selectAll().execute();
    expect(stored).toMatchObject([{ kind: "confirm_address", user_id: world.ids.lena, address: NEW }]);
  });

  test.each([
    ["nowhere", "New e-mail address must be an address such as lena@example.com, not &quot;nowhere&quot;"],
    ["", "New e-mail address must be an address such as lena@example.com"],
    [`${"a".repeat(250)}@new.example`, "New e-mail address must be an address such as"],
    [OLD, "New e-mail address is your address already"],
  ])("is refused with %s", async (email, sentence) => {
    const { status, text } = await world.give(email);
    expect(status).toBe(422);
    expect(text.replaceAll("&quot;", '"')).toContain(sentence.replaceAll("&quot;", '"'));
    expect(await world.waiting()).toEqual([]);
  });

  test("has the same answer and page when another account has it, whose mailbox alone tells", async () => {
    const shown = async (email: string) => {
      const { status, headers, text } = await world.give(email, "ada");
      await world.send();
      const page = (await world.page("ada")).replaceAll(email, "IT").replaceAll(/value="[\w-]{22}"/g, "");
      return { status, to: headers["location"], text, page };
    };
    expect(await shown(SHOUTED)).toEqual(await shown("ada@new.example"));
    const [first] = world.server.received;
    expect(first?.to).toEqual([SHOUTED]);
    expect(first?.mail.subject).toBe("Your address was given on Inkstone again");
    expect(first?.mail.text).toContain(
      "@ada gave this address on Inkstone. It belongs to @lena, and stays there.",
    );
    expect(first?.mail.text).not.toContain("/confirm/");
  });

  test("in place of one that waits ends its link", async () => {
    await world.give(NEW);
    const first = await world.linkTo(NEW);
    await world.give("lena@other.example");
    expect((await world.get(first)).status).toBe(404);
    expect(await world.waiting()).toEqual(["lena@other.example"]);
  });

  test("whose mail wasn't sent yet in place of another sends one mail", async () => {
    await world.give("lena@tpyo.example");
    await world.give(NEW);
    await world.send();
    expect(world.server.received.map(({ to }) => to)).toEqual([[NEW]]);
  });
});

describe("an address that waits", () => {
  test("gets another mail, whose link alone works", async () => {
    await world.give(NEW);
    const first = await world.linkTo(NEW);
    world.setNow(hoursAfter(47));
    await world.signIn("lena");
    expect((await world.press("again")).headers["location"]).toBe(`${PATH}?done=address_sent`);
    expect((await world.get(first)).status).toBe(404);
    const second = await world.linkTo(NEW);
    world.setNow(hoursAfter(94));
    expect([(await world.get(first)).status, (await world.get(second)).status]).toEqual([404, 200]);
  });

  test("is forgotten, with its link", async () => {
    await world.give(NEW);
    const link = await world.linkTo(NEW);
    expect((await world.press("cancel")).headers["location"]).toBe(`${PATH}?done=address_cancelled`);
    expect([(await world.get(link)).status, await world.waiting()]).toEqual([404, []]);
    expect((await world.press("again")).status).toBe(404);
  });
});

describe("mails", () => {
  test("to one address are five in half an hour, whoever asks", async () => {
    for (const who of ["lena", "ada", "lena", "ada"] as const)
      expect((await world.give(NEW, who)).status).toBe(303);
    expect((await world.press("again")).status).toBe(303);
    const { status, headers, text } = await world.give(NEW.toUpperCase());
    expect([status, headers["retry-after"]]).toEqual([429, "1800"]);
    expect(text).toContain("There were too many emails to this address. Try again in 30 minutes.");
    expect(text).toContain(`value="${NEW.toUpperCase()}"`);
    expect(await world.waiting()).toEqual([NEW, NEW]);
    await world.send();
    expect(world.server.received).toHaveLength(5);
  });

  test("of one network are twenty in an hour", async () => {
    const answers = [];
    for (let number = 0; number < 21; number++)
      answers.push((await world.give(`lena@${number}.example`)).status);
    expect(answers).toEqual([...Array<number>(20).fill(303), 429]);
  });
});

describe("removing the address", () => {
  test("leaves the username, and tells the old address whom to ask", async () => {
    expect((await world.press("remove")).headers["location"]).toBe(`${PATH}?done=address_removed`);
    expect(await world.emailOf("lena")).toBeNull();
    await world.send();
    const [{ to, mail } = {}] = world.server.received;
    expect(to).toEqual([OLD]);
    expect(mail?.text).toContain("If not, ask an admin of the site for help at once.");
    expect(await world.page()).toContain("You have no confirmed address");
  });

  test("that isn't there changes nothing", async () => {
    expect((await world.press("remove", "ada")).status).toBe(303);
    await world.send();
    expect(world.server.received).toEqual([]);
  });
});

describe("without mail", () => {
  beforeEach(() => {
    world.context.config.mail = undefined;
  });

  test("a new address is stored as unconfirmed, which the page says, with whom to ask", async () => {
    await settings.set(world.db, "contact_email", "hello@loom.example");
    expect(await world.page()).toContain("This site sends no emails, so it can’t confirm a new address");
    expect(await world.page()).toContain(">hello@loom.example</a> for help with signing in.");
    expect((await world.give(NEW)).headers["location"]).toBe(`${PATH}?done=address_noted`);
    expect([await world.waiting(), await world.emailOf("lena")]).toEqual([[NEW], OLD]);
    expect(await world.mailing.mails()).toEqual([]);
    const text = await world.page();
    expect(text).toContain(`<strong>${NEW}</strong> is not confirmed, and signs nobody in.`);
    expect(text).not.toMatch(/Open the link|has expired|Send the email again/);
  });

  test("a removed address is a notification of its user", async () => {
    await world.press("remove");
    await world.mailing.send({ server: undefined });
    const notices = await world.db.selectFrom("notifications").select("notice").execute();
    expect(JSON.stringify(notices)).toContain(
      `The e-mail address ${OLD} of @lena on Inkstone was changed or removed`,
    );
  });
});

test("an act that no button has is 404", async () => {
  expect((await world.press("confirm")).status).toBe(404);
});
