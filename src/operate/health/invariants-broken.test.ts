import { sql } from "kysely";
import { expect, test } from "vitest";
import { programForAll } from "../../../test/commands.ts";
import type { Finding } from "./finding.ts";

const site = programForAll();

test("inkstone doctor --verify says what it can't check, and checks the rest nevertheless", async () => {
  const { db, superuser } = site.database;
  await sql`insert into handles (username, kind) values ('nobody', 'user')`.execute(db);
  await sql`alter table collections rename column user_id to owner_id`.execute(superuser);
  const { code, out } = await site.inkstone(["doctor", "--verify", "--json"]);
  expect(code).toBe(1);
  const findings = JSON.parse(out) as Finding[];
  const messageOf = (check: string) => findings.find((finding) => finding.check === check)?.message;
  expect(messageOf("series")).toBe("This can't be checked (column collections.user_id does not exist).");
  // Before it; what comes after it is checked too.
  expect(findings.find(({ check }) => check === "usernames")?.faults).toEqual([
    "The username nobody is taken, but no user has it.",
  ]);
  const unchecked = findings.filter(({ message }) => message.startsWith("This can't be checked"));
  expect(unchecked.map(({ check }) => check)).toEqual(["series"]);
});

test("inkstone doctor --verify names users whose pages stand behind one of the site", async () => {
  const { superuser } = site.database;
  await sql`insert into handles (username, kind) values ('signin', 'user')`.execute(superuser);
  await sql`insert into users (username, name) values ('signin', 'Sig Nin')`.execute(superuser);
  const { out } = await site.inkstone(["doctor", "--verify", "--json"]);
  const findings = JSON.parse(out) as Finding[];
  expect(findings.find(({ check }) => check === "pages of users")?.faults).toEqual([
    "The page of user signin may be hidden by one of the site: its name is reserved now.",
  ]);
});
