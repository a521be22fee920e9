import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { enqueue } from "../jobs/queue.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ExportOptions, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { reserveIds } from "../records/identity.ts";
import * as queries from "./queries.ts";
import { findKnown, type KnownKeys, keysOf, storeKeys, toKeyRecord } from "./record-keys.ts";
import { changes, differs, withoutNull } from "../records/columns.ts";
import { type Columns, toColumns } from "./record-row.ts";
import { UserRecord } from "./record-schema.ts";
import { explainTaken, type Role } from "./users.ts";

/** People of the community file, with their keys. */
export const userRecords: RecordType<UserRecord> = {
  type: "user",
  schema: UserRecord,
  keyOf: ({ username }) => username.toLowerCase(),
  write,
  read,
};

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  existing: queries.UserRow | undefined;
  columns: Columns;
  keys: ReturnType<typeof keysOf>;
}

/** What the records of a batch meet on the site. */
interface Known {
  users: Map<string, queries.UserRow>;
  /** Names that are taken, and by what kind of holder. */
  handles: Map<string, string>;
  keys: KnownKeys;
}

async function write(tx: Db, batch: Entry<UserRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const rows: Row[] = [];
  for (const entry of batch) {
    const row = await toRow(entry, known, context);
    if (row) rows.push(row);
  }
  try {
    return await store(tx, rows, { known, context });
  } catch (error) {
    throw explainTaken(error) ?? error;
  }
}

async function lookUp(tx: Db, batch: Entry<UserRecord>[]): Promise<Known> {
  const records = batch.map(({ fields }) => fields);
  const usernames = records.map(({ username }) => username.toLowerCase());
  const [users, handles] = [await queries.findUsers(tx, usernames), await queries.findHandles(tx, usernames)];
  return {
    users: new Map(users.map((user) => [user.username, user])),
    handles: new Map(handles.map(({ username, kind }) => [username, kind])),
    keys: await findKnown(tx, records),
  };
}

async function toRow(
  entry: Entry<UserRecord>,
  known: Known,
  context: ImportContext,
): Promise<Row | undefined> {
  const { fields } = entry;
  const existing = known.users.get(fields.username.toLowerCase());
  try {
    const columns = await toColumns(fields, existing);
    const holder = known.handles.get(columns.username);
    if (!existing && holder !== undefined) {
      const article = holder === "organization" ? "an" : "a";
      throw invalid(`Username has already been taken by ${article} ${holder}`);
    }
    return { wantedId: fields.id, existing, columns, keys: keysOf(fields, known.keys, existing?.id) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.reject(entry, error.message);
    return undefined;
  }
}

async function store(
  tx: Db,
  rows: Row[],
  { known, context }: { known: Known; context: ImportContext },
): Promise<Tally> {
  const fresh = rows.filter(({ existing }) => !existing);
  const ids = await insert(tx, fresh, context);
  const tally: Tally = { created: fresh.length, updated: 0, unchanged: 0 };
  for (const { existing, columns, keys } of rows) {
    const id = existing?.id ?? ids.get(columns.username);
    if (id === undefined) throw new Error(`no row for ${columns.username}`);
    const isChanged = existing !== undefined && differs(existing, columns);
    if (isChanged) await queries.updateUser(tx, id, changes(existing, columns));
    // Articles are found by their author's name, which is written in their search rows.
    if (existing && existing.name !== columns.name) await enqueue(tx, "refresh-articles", { author_id: id });
    const areKeysChanged = await storeKeys(tx, id, keys, known.keys);
    if (existing) tally[isChanged || areKeysChanged ? "updated" : "unchanged"] += 1;
  }
  return tally;
}

async function insert(tx: Db, fresh: Row[], context: ImportContext): Promise<Map<string, number>> {
  if (fresh.length === 0) return new Map();
  const ids = await reserveIds(
    tx,
    "users",
    fresh.map(({ wantedId }) => wantedId),
  );
  await queries.insertHandles(
    tx,
    fresh.map(({ columns }) => columns.username),
  );
  const created = await queries.insertUsers(
    tx,
    fresh.map(({ columns }, index) => ({
      ...columns,
      created_at: columns.created_at ?? context.now,
      ...(ids[index] !== undefined && { id: ids[index] }),
      origin: "import",
    })),
  );
  for (const { id } of created) context.created?.("user", id);
  return new Map(created.map(({ username, id }) => [username, id]));
}

const PAGE = 500;

async function* read(db: Db, { withSecrets }: ExportOptions): AsyncGenerator<UserRecord> {
  for await (const users of inPages((after) => queries.listUsersAfter(db, after, PAGE))) {
    const ids = users.map(({ id }) => id);
    const keys = withSecrets ? await queries.listKeysOf(db, ids) : [];
    for (const user of users) yield toRecord(user, withSecrets, keys);
  }
}

function toRecord(user: queries.UserRow, withSecrets: boolean, keys: queries.KeyRow[]): UserRecord {
  const { kind: _kind, origin: _origin, password_hash, ...columns } = user;
  const own = keys.filter(({ user_id }) => user_id === user.id).map(toKeyRecord);
  return {
    ...withoutNull(columns),
    role: user.role as Role,
    created_at: toIso(user.created_at),
    ...(withSecrets && password_hash !== null && { password_hash }),
    ...(own.length > 0 && { api_keys: own }),
  };
}
