import { beforeAll, beforeEach, expect, test } from "vitest";
import { clockForEach } from "../../../test/waiting.ts";
import { at, NOW, joiningForEach } from "../../../test/accounts.ts";
import { describe as describeApi } from "../../../test/contract/operations.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as invitations from "../../community/users/invitations.ts";

const { pass } = clockForEach();
let passed = 0;

const joining = joiningForEach("open");
beforeAll(() => joining.organization({ username: "growers", name: "Growers" }));
// Earlier tests have asked, by a clock that was further on.
beforeEach(() => pass((passed += 10_000)));

const check = (username: string, more: Record<string, string> = {}) =>
  joining.get(`/signup/name?${new URLSearchParams({ username, ...more })}`);

const FORM =
  "Username must have 2 to 30 characters, each a letter from a to z, a digit or an underscore, not";

test.each([
  ["mo", null],
  ["MO_2", null],
  ["lena", "Username has already been taken"],
  ["LENA", "Username has already been taken"],
  ["growers", "Username has already been taken"],
  ["admin", 'Username "admin" is reserved: choose another'],
  ["m o", `${FORM} "m o"`],
  ["m", `${FORM} "m"`],
  ["lеna", `${FORM} "lеna"`],
  ["mo\u0000", `${FORM} "mo\\u0000"`],
])("the username %j has the fault %j", async (username, fault) => {
  const { status, headers, body } = await check(username);
  expect([status, body]).toEqual([200, { fault }]);
  expect(headers["cache-control"]).toBe("private, no-store");
});

test("a name that an application holds is taken, until it is free again", async () => {
  await joining.mode("approval");
  await joining.join({ reason: "I mend looms." });
  expect((await check("mo")).body).toEqual({ fault: "Username has already been taken" });
  await joining.db.updateTable("sign_ups").set({ state: "declined", decided_at: NOW }).execute();
  expect((await check("mo")).body).toEqual({ fault: null });
});

test.each(["invite", "closed"] as const)("in the mode %s only an invitation finds it", async (mode) => {
  const invited = { inviter: { id: 1, role: "admin" }, address: null, note: "" };
  const rules = { settings: settings.defaults(), now: NOW };
  const { token: invitation } = await invitations.create(joining.db, invited, rules);
  await joining.mode(mode);
  expect((await check("lena")).status).toBe(404);
  expect((await check("lena", { invitation: "A".repeat(43) })).status).toBe(404);
  expect((await check("lena", { invitation })).body).toEqual({ fault: "Username has already been taken" });
  expect((await joining.get(`/invite/${invitation}`)).text).toContain(
    `data-check="/signup/name?invitation=${invitation}"`,
  );
  joining.setNow(at(20_160));
  expect((await check("lena", { invitation })).status).toBe(404);
});

test("strangers of a private community may ask, and the API's document has no word of it", async () => {
  await settings.set(joining.db, "visibility", "private");
  expect((await check("mo")).body).toEqual({ fault: null });
  expect((await joining.get("/signup")).text).toContain('data-check="/signup/name"');
  await settings.set(joining.db, "visibility", "public");
  expect(Object.keys(describeApi(joining.app).paths)).not.toContain("/signup/name");
});

test("a network asks 10 times a second, however many come at once", async () => {
  const ask = async () => (await Promise.all(Array.from({ length: 14 }, () => check("mo")))).map(toPair);
  const toPair = ({ status, headers }: Awaited<ReturnType<typeof check>>) => [status, headers["retry-after"]];
  const [free, refused] = [
    [200, undefined],
    [429, "1"],
  ];
  expect(await ask()).toEqual([
    ...Array.from({ length: 10 }, () => free),
    ...Array.from({ length: 4 }, () => refused),
  ]);
  pass(500);
  expect(await ask()).toEqual([
    ...Array.from({ length: 5 }, () => free),
    ...Array.from({ length: 9 }, () => refused),
  ]);
});

test("asking keeps the pages of strangers in the cache", async () => {
  await joining.get("/tags");
  const before = joining.services.cache.moment();
  for (let count = 0; count < 5; count += 1) await check(`mo_${count}`);
  expect(joining.services.cache.moment().writes).toBe(before.writes);
});
