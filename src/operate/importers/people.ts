import { hash } from "node:crypto";
import type { Db } from "../../platform/db/connect.ts";
import { fold } from "../../content/text/fold.ts";
import { RESERVED } from "../../community/users/names.ts";
import * as queries from "./queries.ts";
import type { CommunityRecord, Stranger } from "./reader.ts";

const MAX_STEM = 20;

interface People {
  /** That of `--author`, of the user with this e-mail address, or of a new user with a record. */
  usernameOf(stranger: Stranger): Promise<{ username: string; record?: CommunityRecord }>;
}

/** Finds the people of another site here, or names new ones. Each import of a file gives the same. */
export function findPeople(db: Db, author: string | undefined): People {
  /** Usernames by e-mail address or, without one, by name there. */
  const known = new Map<string, string>();
  const taken = new Set<string>();

  return {
    async usernameOf(stranger) {
      if (author !== undefined && stranger.isCommenter !== true) return { username: author };
      const key = stranger.email?.toLowerCase() ?? JSON.stringify([stranger.username, stranger.name]);
      const before = known.get(key);
      if (before !== undefined) return { username: before };
      const found = stranger.email === undefined ? undefined : await queries.userByEmail(db, stranger.email);
      const { username, isNew } = found ? { ...found, isNew: false } : await freeName(stranger);
      known.set(key, username);
      taken.add(username);
      return isNew ? { username, record: toRecord(username, stranger) } : { username };
    },
  };

  /** Never that of another user, whose account would become the stranger's. */
  async function freeName(stranger: Stranger): Promise<{ username: string; isNew: boolean }> {
    const stem = stemOf(stranger.username);
    for (let attempt = 0; ; attempt += 1) {
      const username = attempt === 0 ? stem : `${stem}_${digest({ ...stranger, attempt })}`;
      if (RESERVED.has(username) || taken.has(username)) continue;
      const holder = await queries.holder(db, username);
      if (holder === undefined) return { username, isNew: true };
      // Made by an import of the same file.
      if (stranger.email === undefined && holder.is_import && holder.name === stranger.name)
        return { username, isNew: false };
    }
  }
}

function stemOf(name: string): string {
  const stem = fold(name)
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, MAX_STEM);
  return stem.length < 2 ? `user_${stem}` : stem;
}

const digest = ({ username, name, attempt }: Stranger & { attempt: number }): string =>
  hash("sha256", JSON.stringify([username, name, attempt])).slice(0, 8);

const toRecord = (username: string, { name, email, profile }: Stranger): CommunityRecord => ({
  ...profile,
  type: "user",
  username,
  name,
  ...(email !== undefined && { email }),
});
