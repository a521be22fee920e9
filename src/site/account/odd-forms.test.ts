import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import * as sessions from "../../community/users/sessions.ts";

const FORM = "application/x-www-form-urlencoded";
const MARKS = "\u0301\u0316".repeat(20_000);

let cookie: string;
const world = worldForAll();
beforeAll(async () => {
  const { id } = await world.user({ username: "lena", name: "Lena Ortiz" });
  const device = { network: "", browser: "" };
  cookie = `__Host-session=${await sessions.begin(world.db, { userId: id, ...device }, new Date())}`;
});

const send = (url: string, body: string | Buffer, type = FORM, more: Record<string, string> = {}) =>
  world.request({ method: "POST", url, headers: { cookie, "content-type": type, ...more }, body });

const nameOfLena = async () =>
  ((await world.get("/api/users/by_username?url=lena")).body as { name: string }).name;

describe("a form that no browser sends", () => {
  test.each([
    ["a login", "/signin", "login", "Username or e-mail address is too long (maximum is 254 characters)"],
    ["a password", "/signin", "password", "Password is too long (maximum is 2000 characters)"],
    ["a name", "/settings/profile", "name", "Name is too long (maximum is 100 characters)"],
    ["an unknown field", "/settings/profile", "other", "other is too long (maximum is 2000 characters)"],
    ["a hidden field", "/signin", "next", "next is too long (maximum is 2000 characters)"],
  ])("with %s that would take minutes to normalize is refused", async (_, url, field, sentence) => {
    // A form that is sent after a sign-in lifts no bound of the sign-in's own fields.
    for (const more of [{}, { action: "/comments/new" }]) {
      const sent = new URLSearchParams({ [field]: `a${MARKS}`, ...more });
      const { status, text } = await send(url, sent.toString());
      expect(status).toBe(422);
      expect(text).toContain(sentence);
    }
  });

  test.each([
    [
      "a thousand fields and one",
      422,
      "a=1&".repeat(1_001),
      FORM,
      "A form has at most 1000 fields: send fewer",
    ],
    ["bytes that are no UTF-8", 422, Buffer.from("name=\xff", "latin1"), FORM, "The form isn't in UTF-8"],
    ["escapes that are no UTF-8", 422, "name=%ff", FORM, "The form isn't in UTF-8"],
    ["a field twice", 422, "name=a&name=b", FORM, "Name was sent twice: send it once"],
    ["a NUL", 422, "name=%00", FORM, "Name contains"],
    ["JSON", 415, "{}", "application/json", "This page takes only its own form"],
    ["3 MiB and more", 413, "a".repeat(3 * 1024 * 1024 + 1), FORM, "The body is larger than 3 MiB"],
  ])("with %s is %i on its own page, and changes nothing", async (_, status, body, type, sentence) => {
    const answer = await send("/settings/profile", body, type);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
    expect(answer.text).toContain('<form class="form" method="post" action="/settings/profile"');
    expect(await nameOfLena()).toBe("Lena Ortiz");
  });

  test("with a picture of 11 MiB keeps what was typed", async () => {
    const head = 'Content-Disposition: form-data; name="';
    const body = [
      `--x\r\n${head}name"\r\n\r\nLena the Second\r\n`,
      `--x\r\n${head}profile_image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
      "x".repeat(11 * 1024 * 1024),
      "\r\n--x--\r\n",
    ].join("");
    const { status, text } = await send("/settings/profile", body, "multipart/form-data; boundary=x");
    expect(status).toBe(413);
    expect(text).toContain("The file is larger than 10 MiB");
    expect(text).toContain('value="Lena the Second"');
    expect(await nameOfLena()).toBe("Lena Ortiz");
  });

  test("in plain UTF-8 is stored as it is", async () => {
    expect((await send("/settings/profile", Buffer.from("name=Zoë"))).status).toBe(303);
    expect(await nameOfLena()).toBe("Zoë");
  });

  test("with a client's Idempotency-Key and no token is an act each time", async () => {
    const make = (name: string) =>
      send("/settings/keys", `description=${name}`, FORM, { "idempotency-key": "one" });
    expect([(await make("first")).status, (await make("second")).status]).toEqual([200, 200]);
    expect((await world.get("/settings/keys", { headers: { cookie } })).text).toContain("second");
  });
});

describe("the script of a form", () => {
  const accept = "text/html; fragment=1";

  test("gets the part of the page that it replaces", async () => {
    const { status, text } = await send("/settings/profile", "name=+", FORM, { accept });
    expect(status).toBe(422);
    expect(text).toMatch(
      /^<title>Error: Profile – Settings · Inkstone<\/title><main id="main" tabindex="-1">/,
    );
  });

  test("gets the address that follows, without loading it twice", async () => {
    const { status, headers } = await send("/settings/profile", "name=Lena", FORM, { accept });
    expect({ status, location: headers["location"] }).toEqual({
      status: 204,
      location: "/settings/profile?done=saved",
    });
  });
});
