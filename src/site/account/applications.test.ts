import { describe, expect, test } from "vitest";
import { at, MO, PASSWORD, joiningForEach } from "../../../test/accounts.ts";
import { purge } from "../../community/users/sign-ups.ts";

const REASON = { reason: "I mend looms." };
const joining = joiningForEach("approval");

describe("where admins and moderators approve", () => {
  const decide = (values: Record<string, string>, who: string) => joining.post("/applications", values, who);
  const apply = async () => {
    const { status, headers } = await joining.join(REASON);
    expect([status, headers["set-cookie"]]).toEqual([303, undefined]);
    expect(headers["location"]).toBe("/signup?done=applied");
    return String((await joining.waiting())[0]?.id);
  };

  test("a stranger applies, and is nobody until then", async () => {
    expect((await joining.get("/signup")).text).toContain("Why do you want to join?");
    expect((await joining.join()).text).toContain("Why do you want to join? can't be blank");
    const stranger = await joining.get("/");
    await apply();
    expect((await joining.get("/")).headers["etag"]).toBe(stranger.headers["etag"]);
    const password = PASSWORD;
    for (const login of ["mo", "mo@example.com"])
      expect((await joining.post("/signin", { login, password })).status).toBe(422);
    expect((await joining.get("/mo")).status).toBe(404);
    expect((await joining.join({ ...REASON, email: "other@example.com" })).text).toContain(
      "has already been taken",
    );
    // Whose address it is, nobody has proved.
    expect((await joining.join({ ...REASON, username: "mo_2" })).status).toBe(303);
  });

  test("moderators read why, from where and since when, and let people in", async () => {
    const application = await apply();
    const { text } = await joining.get("/applications", "mara");
    for (const part of ["I mend looms.", "example.com", "127.0.0.0/24", "2 Mar"])
      expect(text).toContain(part);
    expect(text).not.toContain("mo@example.com");
    const { headers } = await decide({ application, decision: "approve" }, "mara");
    expect(headers["location"]).toBe("/applications?done=decided");
    expect(await joining.joined()).toEqual([MO]);
    expect(await joining.waiting()).toEqual([]);
    expect((await joining.post("/signin", { login: "mo", password: PASSWORD })).status).toBe(303);
    for (const decision of ["approve", "decline"])
      expect((await decide({ application, decision }, "lena")).headers["location"]).toContain("meanwhile");
    const late = (await joining.get("/applications?done=meanwhile", "lena")).text;
    for (const part of ["<p>No applications</p>", "Someone else has decided it already."])
      expect(late).toContain(part);
  });

  test("an application that is decided isn't taken for the next one, and the menu of the team leads there", async () => {
    await apply();
    const { text } = await joining.get("/applications?id=1", "mara");
    for (const part of ["Someone else has decided it already.", "I mend looms."])
      expect(text).toContain(part);
    const link = '<a href="/applications">Applications</a>';
    expect((await joining.get("/", "mara")).text).toContain(link);
    expect((await joining.get("/", "ada")).text).not.toContain(link);
  });

  test("twenty decisions at once make one account", async () => {
    const application = await apply();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        decide({ application, decision: index % 2 ? "approve" : "decline" }, index % 3 ? "mara" : "lena"),
      ),
    );
    const ends = answers.map(({ headers }) => headers["location"]);
    expect(ends.filter((end) => end === "/applications?done=decided")).toHaveLength(1);
  });

  test("who is declined stays out, and may apply again a day later", async () => {
    const application = await apply();
    await decide({ application, decision: "decline", decline_reason: "No looms here." }, "lena");
    expect(await joining.waiting()).toMatchObject([{ state: "declined", decline_reason: "No looms here." }]);
    expect((await joining.post("/signin", { login: "mo", password: PASSWORD })).status).toBe(422);
    expect((await joining.join(REASON)).text).toContain("was declined today: apply again in a day");
    joining.setNow(at(1_440));
    await apply();
    await purge(joining.db, at(31 * 1_440));
    expect(await joining.waiting()).toMatchObject([{ state: "applied" }]);
  });

  test("nobody is let in once registration is closed, or under a name that is taken meanwhile", async () => {
    const application = await apply();
    await joining.mode("closed");
    expect((await decide({ application, decision: "approve" }, "lena")).text).toContain(
      "Registration is closed",
    );
    await joining.mode("approval");
    await joining.user({ username: "mo" });
    const { status, text } = await decide({ application, decision: "approve" }, "lena");
    expect([status, text.includes("Username has already been taken")]).toEqual([422, true]);
    expect(await joining.waiting()).toHaveLength(1);
  });

  test("members decide nothing", async () => {
    const application = await apply();
    expect((await joining.get("/applications", "ada")).status).toBe(404);
    for (const decision of ["approve", "decline"])
      expect((await decide({ application, decision }, "ada")).status).toBe(404);
    expect(await joining.waiting()).toHaveLength(1);
  });
});
