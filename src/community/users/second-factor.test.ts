import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeAt } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import * as factors from "./second-factor.ts";
import * as sessions from "./sessions.ts";

/** That of RFC 6238, the ASCII digits 1 to 9 and 0, twice. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const NOW = new Date("2026-03-02T10:00:10Z");
const later = (seconds: number) => new Date(NOW.getTime() + 1_000 * seconds);

let userId: number;

const world = worldForAll({ now: NOW });
beforeAll(async () => void (userId = (await world.user({ username: "lena" })).id));

beforeEach(async () => {
  await factors.turnOff(world.db, userId, NOW);
  await sessions.endAll(world.db, userId);
  await world.superuser.deleteFrom("sign_in_failures").execute();
});

const turnOn = (code: string, now = NOW) => factors.turnOn(world.db, { userId, secret: SECRET, code }, now);

/** With the code of the step before, so that those of now are still free. */
async function turnedOn(): Promise<string[]> {
  return (await turnOn(codeAt(SECRET, NOW, -1))) ?? [];
}

async function unfinished(now = NOW): Promise<sessions.Unfinished> {
  const token = await sessions.begin(world.db, { userId, network: "", browser: "" }, now);
  const found = await sessions.findUnfinished(world.db, token, now);
  if (found === undefined) throw new Error("the sign-in waits for no code");
  return found;
}

const finish = async (code: string, now = NOW) =>
  factors.finishSignIn(world.db, await unfinished(now), { code, address: "", isLimited: false }, now);

describe("a code of RFC 6238", () => {
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %i is %s", async (second, code) => {
    expect(codeAt(SECRET, new Date(second * 1_000))).toBe(code);
    expect(await turnOn(code, new Date(second * 1_000))).toHaveLength(10);
  });
});

describe("a code", () => {
  test.each([-1, 0, 1])("is accepted %i steps from now", async (steps) => {
    expect(await turnOn(codeAt(SECRET, NOW, steps))).toHaveLength(10);
  });

  test.each([-2, 2, 4])(
    "of a clock that is %i steps away is refused, with the clock named",
    async (steps) => {
      await expect(turnOn(codeAt(SECRET, NOW, steps))).rejects.toThrow("Code is wrong: ");
      await turnedOn();
      await expect(finish(codeAt(SECRET, NOW, steps))).rejects.toThrow("check that device’s clock");
    },
  );

  test.each(["", "abc", "12345", "1234567", "x".repeat(24), "A".repeat(24), "\u0000", "１２３４５６"])(
    "%j is refused",
    async (code) => {
      await turnedOn();
      await expect(finish(code)).rejects.toThrow(/^Code is wrong/);
    },
  );

  test("is accepted once, and then none of an earlier step", async () => {
    await turnOn(codeAt(SECRET, NOW));
    await expect(finish(codeAt(SECRET, NOW))).rejects.toThrow("Code has been used already");
    expect(await finish(codeAt(SECRET, NOW, 1))).toEqual({});
    await expect(finish(codeAt(SECRET, NOW, 1))).rejects.toThrow("Code has been used already");
    await expect(finish(codeAt(SECRET, NOW))).rejects.toThrow("Code has been used already");
    expect(await finish(codeAt(SECRET, later(60)), later(60))).toEqual({});
  });
});

describe("a recovery code", () => {
  test("is 120 random bits in groups, of which the database has the hash", async () => {
    const codes = await turnedOn();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    const stored = await world.superuser.selectFrom("second_factors").selectAll().executeTakeFirstOrThrow();
    expect(stored.recovery_codes.map(({ length }) => length)).toEqual(codes.map(() => 32));
  });

  test("works once, in any case and with any spaces", async () => {
    const [first = "", second = ""] = await turnedOn();
    expect(await finish(` ${first.toLowerCase().replaceAll("-", " ")} `)).toEqual({ codesLeft: 9 });
    await expect(finish(first)).rejects.toThrow("Code is wrong, or a recovery code that has been used");
    expect(await finish(second.replaceAll("-", ""))).toEqual({ codesLeft: 8 });
    expect(await factors.find(world.db, userId)).toEqual({ created_at: NOW, codes_left: 8 });
  });

  test("works once of four sign-ins that bring it at once", async () => {
    const [code = ""] = await turnedOn();
    const waiting = await Promise.all([unfinished(), unfinished(), unfinished(), unfinished()]);
    const given = { code, address: "", isLimited: false };
    const ends = await Promise.allSettled(
      waiting.map((each) => factors.finishSignIn(world.db, each, given, NOW)),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await factors.find(world.db, userId)).toMatchObject({ codes_left: 9 });
  });

  test("ends when others are made", async () => {
    const [code = ""] = await turnedOn();
    const [another = ""] = (await factors.renewCodes(world.db, userId, NOW)) ?? [];
    await expect(finish(code)).rejects.toThrow("Code is wrong");
    expect(await finish(another)).toEqual({ codesLeft: 9 });
  });

  test("of another person opens nothing", async () => {
    const { id } = await world.user({ username: "mara" });
    const [code = ""] = (await factors.turnOn(
      world.db,
      { userId: id, secret: SECRET, code: codeAt(SECRET, NOW) },
      NOW,
    )) ?? [""];
    await turnedOn();
    await expect(finish(code)).rejects.toThrow("Code is wrong");
  });
});

describe("wrong codes", () => {
  test("wait as wrong passwords do, also in another sign-in, until a right one", async () => {
    await turnedOn();
    for (let count = 1; count <= 5; count += 1)
      await expect(finish("000000")).rejects.toThrow("Code is wrong");
    await expect(finish(codeAt(SECRET, NOW))).rejects.toThrow("Try again in 2 seconds.");
    expect(await finish(codeAt(SECRET, later(2)), later(2))).toEqual({});
    await expect(finish("000000", later(2))).rejects.toThrow("Code is wrong");
  });

  test("end a sign-in after five, also at once", async () => {
    await turnedOn();
    const waiting = await unfinished();
    const given = { code: "000000", address: "", isLimited: false };
    await Promise.allSettled(
      Array.from({ length: 20 }, () => factors.finishSignIn(world.db, waiting, given, NOW)),
    );
    await world.superuser.deleteFrom("sign_in_failures").execute();
    const right = { ...given, code: codeAt(SECRET, NOW) };
    await expect(factors.finishSignIn(world.db, waiting, right, NOW)).rejects.toThrow(
      "5 wrong codes have ended this sign-in: begin again",
    );
  });
});

test("turning it on twice leaves the first secret and its codes", async () => {
  const [code = ""] = await turnedOn();
  expect(await turnOn(codeAt(SECRET, NOW))).toBeUndefined();
  expect(await finish(code)).toEqual({ codesLeft: 9 });
});

test("each change of it causes a mail, and one that changes nothing doesn't", async () => {
  await world.db.deleteFrom("mails").execute();
  await factors.renewCodes(world.db, userId, NOW);
  await factors.turnOff(world.db, userId, NOW);
  await turnedOn();
  await turnOn(codeAt(SECRET, NOW));
  await factors.renewCodes(world.db, userId, NOW);
  await factors.turnOff(world.db, userId, NOW);
  const mails = await world.db
    .selectFrom("mails")
    .select(["kind", "user_id", "about"])
    .orderBy("id")
    .execute();
  expect(mails).toEqual(
    ["on", "codes", "off"].map((change) => ({
      kind: "second_factor_changed",
      user_id: userId,
      about: { change },
    })),
  );
});

test("the address for apps names the community, the user and the rules", () => {
  const address = factors.addressOf(SECRET, { issuer: "Loom: Wheel & Co", label: "lena" });
  const { protocol, host, pathname, searchParams } = new URL(address);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Loom  Wheel & Co:lena",
  ]);
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: "Loom  Wheel & Co",
    secret: SECRET,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
