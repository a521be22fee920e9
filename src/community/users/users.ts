import type { Actor } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { violatedUnique } from "../../platform/db/failures.ts";
import { reassign, type Reassignment } from "../../platform/db/reassign.ts";
import { differs } from "../../platform/db/rows.ts";
import { type AppError, invalid, notFound, unauthorized } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { checked } from "../../platform/fields/fields.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import type { Reference } from "../records/declaration.ts";
import * as log from "../log/log.ts";
import * as handles from "./handles.ts";
import { type Edit, type Edited, PROFILE, replacedPicture } from "./fields.ts";
import { canBeUsername, EMAIL, NAME, USERNAME } from "./names.ts";
import * as queries from "./queries.ts";
import { type Role, ROLES } from "./columns.ts";
import * as view from "./view.ts";

export { type Role, ROLES };

export type Locked = Pick<queries.UserRow, "id" | "name" | "origin" | "created_at">;

export interface NewUser {
  username: string;
  name: string;
  email?: string;
  role?: Role;
  /** A person who has registered has this. */
  joined?: { invitation_id: number | null };
}

const NEW_FIELDS = { username: USERNAME, name: NAME, email: EMAIL };

/** @throws AppError invalid also when the username or the e-mail address is taken */
export async function create(
  actor: Actor<{ id: number; username: string }>,
  wanted: NewUser,
): Promise<{ id: number; username: string }> {
  const { username = "", name = "", email = null } = checked(NEW_FIELDS, wanted);
  const role = wanted.role ?? "member";
  return explained(
    actor.run(async (tx) => {
      await handles.take(tx, "user", [username]);
      const id = await queries.insertUser(tx, {
        username,
        name,
        email,
        role,
        ...(wanted.joined && { ...wanted.joined, origin: "registration", created_at: actor.now() }),
      });
      await events.record(tx, "user_created", { user_id: id });
      if (role !== "member")
        await log.record(tx, actor, {
          act: "change_role",
          on: { kind: "user", id },
          detail: `member to ${role}`,
        });
      return { id, username };
    }),
  );
}

export type Profile = Partial<Record<keyof typeof PROFILE, string>>;

/** Changes the fields of a profile that are given, and its picture, which the site keeps; null is none. */
export async function edit(actor: Actor<Edited>, { id, change, picture }: Edit<Profile>): Promise<Edited> {
  const columns = { ...checked(PROFILE, change), ...(picture !== undefined && { profile_image: picture }) };
  return explained(
    actor.run(async (tx) => {
      const existing = await queries.lockUser(tx, id);
      if (!existing) throw notFound();
      if (!differs(existing, columns)) return { changed: false, replaced: null };
      await queries.updateUser(tx, id, columns);
      await events.record(tx, "user_updated", { user_id: id });
      if (actor.user?.id !== id) {
        const detail = Object.keys(columns).join(", ");
        await log.record(tx, actor, { act: "edit_user", on: { kind: "user", id }, detail });
      }
      const isRenamed = columns.name !== undefined && columns.name !== existing.name;
      // Search rows contain the name.
      if (isRenamed) await enqueue(tx, "refresh-articles", { author_id: id });
      return { changed: true, replaced: replacedPicture(existing, picture) };
    }),
  );
}

export async function requireActive(db: Db, id: number): Promise<Role> {
  const active = await queries.findActive(db, id);
  if (!active) throw unauthorized();
  return active.role as Role;
}

export async function shownBeside(db: Db, id: number, baseUrl: string): Promise<object | undefined> {
  const row = await queries.findProfile(db, id);
  return row && view.author(row, baseUrl);
}

async function explained<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw explainTaken(error) ?? error;
  }
}

export function explainTaken(error: unknown): AppError | undefined {
  return violatedUnique(error) === "users_email" ? invalid("Email has already been taken") : undefined;
}

/** Locks people, and actions that are counted by person. One call with all ids prevents deadlocks. */
export async function lock(tx: Db, ids: readonly number[]): Promise<Map<number, Locked>> {
  const rows = await queries.lockUsers(tx, { ids: [...new Set(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}

const NEW_MS = 3 * 86_400_000;

/** Whether a person has registered on the site within the last three days. */
export function isNew({ origin, created_at }: Locked, now: Date): boolean {
  return origin === "registration" && now.getTime() - created_at.getTime() < NEW_MS;
}

export async function idsByUsername(db: Db, usernames: readonly string[]): Promise<Map<string, number>> {
  const found = await namesByUsername(db, usernames);
  return new Map([...found].map(([username, { id }]) => [username, id]));
}

export const byUsername: Reference = {
  find: idsByUsername,
  spell: (username) => username.toLowerCase(),
  noun: "a user",
};

export async function namesByUsername(
  db: Db,
  usernames: readonly string[],
): Promise<Map<string, { id: number; name: string }>> {
  const wanted = usernames.map((username) => username.toLowerCase()).filter(canBeUsername);
  if (wanted.length === 0) return new Map();
  const rows = await queries.findNames(db, { usernames: wanted });
  return new Map(rows.map(({ username, id, name }) => [username, { id, name }]));
}

/** Frees their names. The caller must have removed articles from the counts. */
export async function removeAll(tx: Db, ids: readonly number[]): Promise<number> {
  const retired = await queries.deleteRetiredNames(tx, ids);
  const usernames = await queries.deleteUsers(tx, ids);
  await handles.release(tx, "user", [...usernames, ...retired]);
  return usernames.length;
}

export const namesOf = queries.listNames;

export const findProfile = queries.findProfile;

/** Removes an account whose rows another one has now. Its names stay taken, and lead there. */
export async function removeMerged(tx: Db, { from, to }: Reassignment): Promise<void> {
  await reassign(tx, ["retired_names", "user_id"], { from, to });
  for (const username of await queries.deleteUsers(tx, [from])) await queries.retireName(tx, username, to);
}
