import type { Insertable } from "kysely";
import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import type { Follows } from "../db/tables.ts";
import { AppError, invalid } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { differs, given, withoutNull } from "../records/columns.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import * as tags from "../tags/tags.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/** A follow in a community file: of a person, an organization or a tag. */
const FollowRecord = Type.Object({
  user: Type.String(),
  followed_user: Type.Optional(Type.String()),
  organization: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  points: Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000, default: 1 })),
  created_at: Type.Optional(Type.String({ format: "date-time" })),
});
type FollowRecord = Static<typeof FollowRecord>;

const KINDS = ["followed_user", "organization", "tag"] as const;

/** Follows of the community file. */
export const followRecords: RecordType<FollowRecord> = {
  type: "follow",
  schema: FollowRecord,
  keyOf: (fields) => {
    const targets = KINDS.flatMap((kind) => fields[kind] ?? []).map((name) => name.toLowerCase());
    return [fields.user.toLowerCase(), ...targets].join(" → ");
  },
  write,
  read,
};

/** @throws AppError invalid when it isn't one thing that is followed */
function targetOf(fields: FollowRecord): [kind: (typeof KINDS)[number], name: string] {
  const [kind, ...others] = KINDS.filter((kind) => fields[kind] !== undefined);
  if (kind === undefined || others.length > 0) {
    throw invalid(`a follow must have one of ${KINDS.join(", ")}`);
  }
  return [kind, fields[kind] ?? ""];
}

/** A follow on its way into the database, or one that is there. */
type Row = Insertable<Follows> & { id?: number };

/** What the records of a batch refer to, as the site has it. */
interface Known {
  users: Map<string, number>;
  organizations: Map<string, number>;
  tags: Map<string, number>;
  /** Follows that are there, or that earlier records of the batch made. */
  follows: Map<string, Row>;
}

async function write(tx: Db, batch: Entry<FollowRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  const fresh: Row[] = [];
  for (const entry of batch) {
    try {
      const outcome = await writeOne(tx, entry.fields, { known, fresh, now: context.now });
      tally[outcome] += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
    }
  }
  const inserted = await queries.insertAll(tx, fresh);
  // Only now: a batch that fails before is undone, and what it counted must not stay.
  noteFollowers(context, inserted);
  const present = fresh.length - inserted.length;
  return { ...tally, created: inserted.length, unchanged: tally.unchanged + present };
}

/**
 * How many followers an import has given to whom so far. An import is one transaction, so whoever
 * follows one of those it has counted waits for all of it: it counts at the end.
 */
const pending = new WeakMap<ImportContext, Map<number, number>>();

function noteFollowers(
  context: ImportContext,
  inserted: Pick<queries.FollowRow, "followed_user_id">[],
): void {
  const changes = pending.get(context) ?? new Map<number, number>();
  if (!pending.has(context)) {
    pending.set(context, changes);
    context.atEnd((tx) => queries.addFollowers(tx, changes));
  }
  for (const { followed_user_id: id } of inserted) {
    if (id !== null) changes.set(id, (changes.get(id) ?? 0) + 1);
  }
}

async function lookUp(tx: Db, batch: Entry<FollowRecord>[]): Promise<Known> {
  const records = batch.map(({ fields }) => fields);
  const followers = records.map(({ user }) => user);
  const people = await users.idsByUsername(tx, [
    ...followers,
    ...records.flatMap(({ followed_user }) => followed_user ?? []),
  ]);
  const groups = await organizations.idsByUsername(
    tx,
    records.flatMap(({ organization }) => organization ?? []),
  );
  const names = await tags.idsByName(
    tx,
    records.flatMap(({ tag }) => tag ?? []),
  );
  const rows = await queries.findAmong(
    tx,
    followers.flatMap((username) => people.get(username.toLowerCase()) ?? []),
    { users: [...people.values()], organizations: [...groups.values()], tags: [...names.values()] },
  );
  const follows = new Map<string, Row>(rows.map((row) => [keyOf(row), row]));
  return { users: people, organizations: groups, tags: names, follows };
}

/** Two records that are about the same follow, by whatever names, have the same one. */
function keyOf({ follower_id, followed_user_id, organization_id, tag_id }: Row): string {
  return [follower_id, followed_user_id ?? "", organization_id ?? "", tag_id ?? ""].join(" ");
}

interface Surroundings {
  known: Known;
  /** Follows to be inserted in the end. */
  fresh: Row[];
  now: Date;
}

async function writeOne(
  tx: Db,
  fields: FollowRecord,
  { known, fresh, now }: Surroundings,
): Promise<keyof Tally> {
  const change = {
    ...given("points", fields.points, Number),
    ...given("created_at", fields.created_at, (text) => new Date(text)),
  };
  const wanted = toRow(fields, known);
  const existing = known.follows.get(keyOf(wanted));
  if (!existing) {
    const row = { created_at: now, ...wanted, points: 1, ...change };
    known.follows.set(keyOf(row), row);
    fresh.push(row);
    return "created";
  }
  if (!differs(existing, change)) return "unchanged";
  Object.assign(existing, change);
  if (existing.id !== undefined) await queries.update(tx, existing.id, change);
  return "updated";
}

/** @throws AppError invalid with the reason why the record can't be imported */
function toRow(fields: FollowRecord, known: Known): Row {
  const follower_id = known.users.get(fields.user.toLowerCase());
  if (follower_id === undefined) throw isUnknown("user", fields.user, "a user");
  const [kind, name] = targetOf(fields);
  if (kind === "organization") {
    const organization_id = known.organizations.get(name.toLowerCase());
    if (organization_id === undefined) throw isUnknown(kind, name, "an organization");
    return { follower_id, organization_id };
  }
  if (kind === "tag") {
    const tag_id = known.tags.get(tags.spelling(name));
    if (tag_id === undefined) throw isUnknown(kind, name, "a tag");
    return { follower_id, tag_id };
  }
  const followed_user_id = known.users.get(name.toLowerCase());
  if (followed_user_id === undefined) throw isUnknown(kind, name, "a user");
  if (followed_user_id === follower_id) throw invalid("followed_user must be another person than user");
  return { follower_id, followed_user_id };
}

function isUnknown(field: string, name: string, what: string): AppError {
  return invalid(`${field} ${quote(name)} is not ${what} of the site or of an earlier line`);
}

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<FollowRecord> {
  for await (const rows of inPages((after) => queries.listAfter(db, after, PAGE))) {
    for (const { id: _, created_at, ...row } of rows) {
      yield { ...withoutNull(row), created_at: toIso(created_at) };
    }
  }
}
