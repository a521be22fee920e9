import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Joining, startJoining } from "../../test/joining.ts";
import { commandsForAll } from "../../test/own-commands.ts";
import { urlOf } from "../../test/program.ts";
import * as settings from "../settings/settings.ts";
import { createNoteOf } from "./look-alikes.ts";

let joining: Joining;
const program = commandsForAll();

beforeAll(async () => {
  joining = await startJoining();
  await settings.set(joining.db, "community_name", "Loom & Wheel");
  const rename = (username: string, name: string) =>
    joining.db.updateTable("users").set({ name }).where("username", "=", username).execute();
  await rename("lena", "Lena Ortiz");
  await rename("mara", "Mara Lindqvist");
  await rename("ada", "Ada Lovelace");
});
beforeEach(() => joining.reset());
afterAll(() => joining.stop());

const noteOn = async (name: string) => (await createNoteOf(joining.db))(name);

const LENA = "looks like that of @lena (admin)";
const MARA = "looks like that of @mara (moderator)";
const MIXED = "mixes alphabets in a word";

describe("a name", () => {
  test.each([
    ["Lena Ortiz", LENA],
    ["LENA  ORTIZ", LENA],
    ["Lena Ortiz ✓", LENA],
    ["lena.ortiz", LENA],
    ["Léna Ortíz", LENA],
    ["Iena 0rtiz", LENA],
    ["1ena ortlz", LENA],
    ["Ｌｅｎａ Ｏｒｔｉｚ", LENA],
    ["𝓛𝓮𝓷𝓪 𝓞𝓻𝓽𝓲𝔃", LENA],
    ["Lеna Ortiz", `${LENA} and ${MIXED}`],
    ["Маra Lindqvist", `${MARA} and ${MIXED}`],
    ["rnara lindqvist", MARA],
    ["Lοom & Wheel", `looks like that of the community and ${MIXED}`],
    ["loom and wheel", undefined],
    ["Loom+Wheel", "looks like that of the community"],
  ])("such as %s has the note: %s", async (name, note) => {
    expect(await noteOn(name)).toBe(note);
  });

  test.each([
    ["lenа2", MIXED],
    ["Ωmega", MIXED],
    ["ᏞenᎪ", MIXED],
    ["Ⰰlena", MIXED],
    ["ひらgana", MIXED],
    ["한글ひら", MIXED],
  ])("such as %s mixes alphabets", async (name, note) => {
    expect(await noteOn(name)).toBe(note);
  });

  test.each([
    "Ada Lovelace",
    "Lena O. Ortiz-Diaz",
    "Лена Ортис",
    "Лена Smith",
    "Jean-Пьер",
    "José Núñez 3",
    "Nguyễn Thị Ánh",
    "Zoë O’Brien",
    "Ⰰⰱⰲ",
    "山田ひろシー々",
    "김金",
    "李ㄌㄧ",
    "सोफ़िया",
    "مریم ۱",
    "µTorrent",
    "🧶 ✓",
    "★",
  ])("such as %s has no note", async (name) => {
    expect(await noteOn(name)).toBeUndefined();
  });
});

test("a community whose name has no letters is nobody's look-alike", async () => {
  await settings.set(joining.db, "community_name", "★");
  expect(await noteOn("✓")).toBeUndefined();
  await settings.set(joining.db, "community_name", "Loom & Wheel");
});

test("moderators see the note beside an applicant, who is let in as others are", async () => {
  await joining.mode("approval");
  const reason = "I mend looms.";
  expect((await joining.join({ name: "Lеna Ortiz", reason })).status).toBe(303);
  const { text } = await joining.get("/applications", "mara");
  expect(text).toContain(`<strong>The name ${LENA} and ${MIXED}.</strong>`);
  const [applied] = await joining.waiting();
  await joining.post("/applications", { application: String(applied?.id), decision: "approve" }, "mara");
  await joining.join({ username: "mo_2", email: "mo_2@example.com", reason });
  const plain = await joining.get("/applications", "mara");
  expect(plain.text).toContain("(@mo_2)");
  expect(plain.text).not.toContain("The name ");
  expect(await joining.joined()).toMatchObject([{ username: "mo", role: "member" }]);
});

test("the command lists members who joined or changed their names, and no moderator or admin", async () => {
  const { rows } = await joining.pool.query<{ name: string }>("select current_database() as name");
  const env = { DATABASE_URL: urlOf(rows[0]?.name ?? "") };
  const run = async (...more: string[]) =>
    (await program.inkstone(["user", "look-alikes", ...more], { env })).out.trim();
  expect(await run()).toBe("There are no such names.");
  const first = await joining.user({ username: "mo_1", name: "Mara Lindqvist" });
  const second = await joining.user({ username: "mo_2", name: "Mο Ito" });
  await joining.user({ username: "mo_3", name: "Lena Ortiz", role: "moderator" });
  expect(await run()).toBe(
    `${first.id}  mo_1  "Mara Lindqvist": it ${MARA}\n${second.id}  mo_2  "Mο Ito": it ${MIXED}`,
  );
  expect(JSON.parse(await run("--json", "--limit", "1"))).toEqual([
    { id: first.id, username: "mo_1", name: "Mara Lindqvist", note: MARA },
  ]);
});
