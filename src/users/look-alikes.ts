import type { Db } from "../db/connect.ts";
import { inPages } from "../records/pages.ts";
import * as settings from "../settings/settings.ts";

/** Writing systems of today by their scripts (UTS 39); the last ones are written with several. */
const SYSTEMS =
  `Latn Cyrl Grek Armn Geor Hebr Arab Thaa Ethi Cher Copt Cans Lisu Tfng Mong Deva Beng Guru Gujr Orya Taml Telu
  Knda Mlym Sinh Thai Laoo Tibt Mymr Khmr Hani+Hira+Kana Hani+Hang Hani+Bopo`
    .split(/\s+/)
    .map((scripts) =>
      scripts
        .split("+")
        .map((script) => `\\p{scx=${script}}`)
        .join(""),
    );

const WHOLE = SYSTEMS.map((letters) => new RegExp(`^[${letters}\\p{scx=Zyyy}\\P{L}]+$`, "u"));
const KNOWN = new RegExp(`(?!\\p{scx=Zyyy})[${SYSTEMS.join("")}]`, "u");

/** Whether one of its words has letters of several writing systems. Rare ones alone are none of these. */
function mixesScripts(name: string): boolean {
  const words = name.normalize("NFC").split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.some((word) => KNOWN.test(word) && !WHOLE.some((system) => system.test(word)));
}

type NoteOf = (name: string) => string | undefined;

/**
 * Describes how a display name resembles another, in words that follow "the name". Such names are allowed: people share
 * names, and alphabets.
 */
export async function createNoteOf(db: Db): Promise<NoteOf> {
  const { default: skeletonOf } = await import("unhomoglyph");
  // Both cases, since small letters look like others than capital ones do. Marks and signs make no other name.
  const fold = (name: string) =>
    skeletonOf(skeletonOf(name.normalize("NFKD")).toLowerCase())
      .normalize("NFKD")
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .replaceAll("l", "i");
  const staff = db.selectFrom("users").select(["username", "name", "role"]).where("role", "<>", "member");
  const { community_name: community } = await settings.read(db);
  const known = new Map(
    (await staff.orderBy("id", "desc").execute()).map(({ username, name, role }) => [
      fold(name),
      `that of @${username} (${role})`,
    ]),
  ).set(fold(community), "that of the community");
  known.delete("");
  return (name) => {
    const whose = known.get(fold(name));
    const faults = [
      ...(whose === undefined ? [] : [`looks like ${whose}`]),
      ...(mixesScripts(name) ? ["mixes alphabets in a word"] : []),
    ];
    return faults.length === 0 ? undefined : faults.join(" and ");
  };
}

const BATCH = 1_000;

/** Members whose name has such a note, the oldest first. */
export async function list(db: Db, limit: number) {
  const noteOf = await createNoteOf(db);
  const found: { id: number; username: string; name: string; note: string }[] = [];
  const members = db.selectFrom("users").select(["id", "username", "name"]).where("role", "=", "member");
  const after = (id: number) => members.where("id", ">", id).orderBy("id").limit(BATCH).execute();
  for await (const page of inPages(after)) {
    for (const member of page) {
      const note = noteOf(member.name);
      if (note !== undefined) found.push({ ...member, note });
    }
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
