import { isDeepStrictEqual } from "node:util";
import type { Db } from "../db/connect.ts";
import { violatedUnique } from "../db/failures.ts";
import { AppError, invalid } from "../errors.ts";
import { enqueue } from "../jobs/queue.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { reserveIds } from "../records/identity.ts";
import { changes, differs, withoutNull } from "../records/columns.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";
import { type Columns, type Member, toColumns, toMembers } from "./record-row.ts";
import { OrganizationRecord } from "./record-schema.ts";

/** Organizations of the community file, with their members. */
export const organizationRecords: RecordType<OrganizationRecord> = {
  type: "organization",
  schema: OrganizationRecord,
  keyOf: ({ username }) => username.toLowerCase(),
  write,
  read,
};

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  existing: queries.OrganizationRow | undefined;
  columns: Columns;
  members: Member[] | undefined;
}

/** What the records of a batch refer to, as the site has it. */
interface Known {
  organizations: Map<string, queries.OrganizationRow>;
  /** Names that are taken, and by what kind of holder. */
  handles: Map<string, string>;
  users: Map<string, number>;
  members: Awaited<ReturnType<typeof queries.listMembers>>;
}

async function write(tx: Db, batch: Entry<OrganizationRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const rows = batch.flatMap((entry) => toRow(entry, known, context) ?? []);
  const ids = await insert(tx, rows, context);
  const tally: Tally = { created: ids.size, updated: 0, unchanged: 0 };
  for (const row of rows) {
    const areMembersChanged = await storeMembers(tx, row, { known, ids });
    if (!row.existing) continue;
    const isChanged = differs(row.existing, row.columns);
    if (isChanged) await queries.updateOrganization(tx, row.existing.id, changes(row.existing, row.columns));
    // Articles are found by their organization's name, which is written in their search rows.
    if (row.existing.name !== row.columns.name) {
      await enqueue(tx, "refresh-articles", { organization_id: row.existing.id });
    }
    tally[isChanged || areMembersChanged ? "updated" : "unchanged"] += 1;
  }
  return tally;
}

async function lookUp(tx: Db, batch: Entry<OrganizationRecord>[]): Promise<Known> {
  const usernames = batch.map(({ fields }) => fields.username.toLowerCase());
  const organizations = await queries.findOrganizations(tx, usernames);
  const handles = await queries.findHandles(tx, usernames);
  const names = batch.flatMap(({ fields }) => fields.members?.map(({ username }) => username) ?? []);
  return {
    organizations: new Map(organizations.map((row) => [row.username, row])),
    handles: new Map(handles.map(({ username, kind }) => [username, kind])),
    users: await users.idsByUsername(tx, names),
    members: await queries.listMembers(
      tx,
      organizations.map(({ id }) => id),
    ),
  };
}

function toRow(entry: Entry<OrganizationRecord>, known: Known, context: ImportContext): Row | undefined {
  const { fields } = entry;
  const existing = known.organizations.get(fields.username.toLowerCase());
  try {
    const columns = toColumns(fields);
    const holder = known.handles.get(columns.username);
    if (!existing && holder !== undefined) throw invalid(`Username has already been taken by a ${holder}`);
    return { wantedId: fields.id, existing, columns, members: toMembers(fields, known.users) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.reject(entry, error.message);
    return undefined;
  }
}

async function insert(tx: Db, rows: Row[], context: ImportContext): Promise<Map<string, number>> {
  const fresh = rows.filter(({ existing }) => !existing);
  const given = await reserveIds(
    tx,
    "organizations",
    fresh.map(({ wantedId }) => wantedId),
  );
  const ids = new Map<string, number>();
  for (const [index, { columns }] of fresh.entries()) {
    const created_at = columns.created_at ?? context.now;
    const id = await insertOne(tx, {
      ...columns,
      created_at,
      ...(given[index] !== undefined && { id: given[index] }),
    });
    ids.set(columns.username, id);
    context.created?.("organization", id);
  }
  return ids;
}

async function insertOne(
  tx: Db,
  organization: Parameters<typeof queries.insertOrganization>[1],
): Promise<number> {
  try {
    return await queries.insertOrganization(tx, organization);
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error;
    throw invalid("Username has already been taken");
  }
}

/** Makes the members those of the record, if it names any, and says whether that changed anything. */
async function storeMembers(
  tx: Db,
  { existing, columns, members }: Row,
  { known, ids }: { known: Known; ids: Map<string, number> },
): Promise<boolean> {
  const id = existing?.id ?? ids.get(columns.username);
  if (!members || id === undefined) return false;
  const before = known.members.filter(({ organization_id }) => organization_id === id);
  if (isDeepStrictEqual(rolesOf(before), rolesOf(members))) return false;
  await queries.replaceMembers(tx, id, members);
  return true;
}

function rolesOf(members: Member[]): Map<number, string> {
  return new Map(members.map(({ user_id, role }) => [user_id, role]));
}

const PAGE = 500;

async function* read(db: Db): AsyncGenerator<OrganizationRecord> {
  for await (const organizations of inPages((after) => queries.listAfter(db, after, PAGE))) {
    const ids = organizations.map(({ id }) => id);
    const members = await queries.listMembers(db, ids);
    for (const { kind: _, ...organization } of organizations) {
      const own = members.filter(({ organization_id }) => organization_id === organization.id);
      yield {
        ...withoutNull(organization),
        created_at: toIso(organization.created_at),
        ...(own.length > 0 && {
          members: own.map(({ username, role }) => ({ username, role: role as "admin" })),
        }),
      };
    }
  }
}
