import { beforeEach, expect, test } from "vitest";
import { PASSWORD, joiningForEach } from "../../../test/accounts.ts";
import { localServer } from "../../../test/mail-server.ts";

const joining = joiningForEach("open");
beforeEach(() => void (joining.context.config.rateLimits = false));

const WHY = { reason: "I mend looms." };

async function invitationOf(who: string): Promise<string> {
  const { text } = await joining.post("/settings/invitations", {}, who);
  return /\/invite\/([\w-]{43})/.exec(text)?.[1] ?? "";
}

async function mailedLink(): Promise<string> {
  joining.context.config.mail = localServer(joining.server.port);
  await joining.join();
  await joining.mailing.send({ server: localServer(joining.server.port) });
  return /(\/signup\/\S+)/.exec(joining.server.received.at(-1)?.mail.text ?? "")?.[1] ?? "";
}

/** Takes a road that began in the mode open or approval, and ends it in another one. */
const ROADS: Record<string, (mode: () => Promise<void>) => Promise<unknown>> = {
  async form(mode) {
    await mode();
    await joining.join(WHY);
  },
  async "an admin's invitation"(mode) {
    const invitation = await invitationOf("lena");
    await mode();
    await joining.join({ ...WHY, invitation });
  },
  async "a member's invitation"(mode) {
    const invitation = await invitationOf("ada");
    await mode();
    await joining.join({ ...WHY, invitation });
  },
  async "the link of a mail"(mode) {
    const link = await mailedLink();
    await mode();
    await joining.finish(link, WHY);
  },
  async "an approval"(mode) {
    await joining.mode("approval");
    await joining.join(WHY);
    const [application] = await joining.waiting();
    await mode();
    await joining.post(
      "/applications",
      { application: String(application?.id), decision: "approve" },
      "mara",
    );
  },
  async "the password of an application"(mode) {
    await joining.mode("approval");
    await joining.join(WHY);
    await mode();
    await joining.post("/signin", { login: "mo", password: PASSWORD });
  },
};

const MODES = ["open", "approval", "invite", "closed"] as const;

/** What a person has at the end of a road: an account, an application, or neither. */
const ENDS = `
form                                            | account application no no
an admin's invitation                           | account account account account
a member's invitation                           | account account account no
the link of a mail                              | account application no no
an approval                                     | account account account no
the password of an application                  | no no no no`;

const ROWS = ENDS.trim()
  .split("\n")
  .flatMap((line) => {
    const [road = "", ends = ""] = line.split("|").map((part) => part.trim());
    return ends.split(" ").map((end, index) => ({ road, mode: MODES[index] ?? "open", end }));
  });

test.each(ROWS)("$road in the mode $mode: $end", async ({ road, mode, end }) => {
  await joining.mode("open", 3);
  await ROADS[road]?.(() => joining.mode(mode, 3));
  const sessions = await joining.db.selectFrom("sessions").select("id").execute();
  const accounts = await joining.joined();
  expect(accounts).toHaveLength(end === "account" ? 1 : 0);
  if (end !== "account") expect(sessions).toHaveLength(3);
  const isWaiting = (await joining.waiting()).some(({ state }) => state === "applied");
  if (end !== "no") expect(isWaiting).toBe(end === "application");
});
