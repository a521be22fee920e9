import { beforeAll, beforeEach, expect, test } from "vitest";
import { codeAt, NOW, joiningForEach } from "../../../test/accounts.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as sessions from "../../community/users/sessions.ts";

/** The fields of these pages into which people type: their types, and what browsers fill in. */
const FIELDS = `
/signin                | login username
/signin                | password current-password
/signin/code           | code one-time-code
/reset                 | login username
/signup                | name name
/signup                | username username
/signup                | email email
/signup                | password new-password
/signup                | reason -
/signup                | website off
/settings/profile      | name name
/settings/profile      | summary -
/settings/profile      | location -
/settings/profile      | website_url url
/settings/account      | email email
/settings/password     | current_password current-password
/settings/password     | password new-password
/settings/two-factor   | code one-time-code
/settings/invitations  | email off
/settings/invitations  | note -
/confirm-password      | password current-password
/applications          | decline_reason -`;

const LINES = FIELDS.trim().split("\n");
const PATHS = [...new Set(LINES.map((line) => line.split(" ")[0] ?? ""))];
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** Of a recovery code and of an address, as other programs may show them. */
const LONGEST = { code: "ABCD - EFGH - IJKL - MNOP - QRST - UVWX".length, email: 254 };

const joining = joiningForEach("approval", { hasMail: true });
let member: string;
let unfinished: string;
beforeAll(async () => {
  const { db } = joining;
  const begin = (userId: number) => sessions.begin(db, { userId, network: "", browser: "" }, NOW);
  member = await begin((await joining.user({ username: "zoe", role: "admin" })).id);
  const { id: userId } = await joining.user({ username: "yusuf" });
  await factors.turnOn(db, { userId, secret: SECRET, code: codeAt(SECRET, NOW) }, NOW);
  unfinished = await begin(userId);
});
beforeEach(() => joining.join({ reason: "I mend looms." }));

/** The page as its reader sees it: an admin where it isn't for strangers. */
async function shown(path: string): Promise<string> {
  const ofMember = /^\/(?:settings|confirm|applications)/.test(path) ? member : "";
  const token = path === "/signin/code" ? unfinished : ofMember;
  const headers = { cookie: `__Host-session=${token}`, accept: "text/html", host: "ink.example" };
  return (await joining.request({ url: path, headers })).text;
}

interface TextField {
  name: string;
  autocomplete: string | undefined;
  maxLength: number;
  tag: string;
}

/** The fields of the main part into which people type. */
function textFieldsIn(html: string): TextField[] {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  const tags = main.match(/<(?:input|textarea)\b[^>]*>/g) ?? [];
  return tags
    .filter((tag) => !/ type="(?:hidden|checkbox|radio|file|search)"/.test(tag))
    .map((tag) => {
      const valueOf = (name: string) => new RegExp(` ${name}="([^"]*)"`, "i").exec(tag)?.[1];
      return {
        tag,
        name: valueOf("name") ?? "",
        autocomplete: valueOf("autocomplete"),
        maxLength: Number(valueOf("maxlength") ?? Infinity),
      };
    });
}

test.each(PATHS)(
  "the fields of %s say what browsers fill in, and what is pasted stays whole",
  async (path) => {
    const fields = textFieldsIn(await shown(path));
    const table = fields.map(
      ({ name, autocomplete = "-" }) => `${path.padEnd(22)} | ${name} ${autocomplete}`,
    );
    expect(table).toEqual(LINES.filter((line) => line.startsWith(`${path} `)));
    for (const { name, tag, maxLength } of fields) {
      expect(tag).not.toMatch(/ (?:on\w+|readonly|pattern|disabled)\b/i);
      if (name === "code" || name === "email") expect(maxLength).toBeGreaterThanOrEqual(LONGEST[name]);
    }
  },
);
