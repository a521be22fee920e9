import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { differs } from "../records/columns.ts";
import { reserveIds } from "../records/identity.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ExportOptions, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import { normalUrl } from "./attributes.ts";
import { MAX_ENDPOINTS } from "./endpoints.ts";
import * as queries from "./queries.ts";
import * as recordQueries from "./record-queries.ts";
import { type Columns, defaultsAt, keyOfRow, toColumns, toRecord, WebhookRecord } from "./record-row.ts";
import { settleSome, UNSETTLED } from "./settling.ts";

/** Webhook endpoints of the community file. */
export const webhookRecords: RecordType<WebhookRecord> = {
  type: "webhook_endpoint",
  schema: WebhookRecord,
  keyOf: ({ user, target_url }) => `${user.toLowerCase()} ${normalUrl(target_url.trim())}`,
  write,
  read,
};

/** What the site has already. */
interface Known {
  owners: Map<string, number>;
  existing: Map<string, recordQueries.Existing>;
  /** How many endpoints people have, with those of the records before. */
  counts: Map<number, number>;
}

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  userId: number;
  columns: Columns;
  existing: recordQueries.Existing | undefined;
}

async function write(tx: Db, batch: Entry<WebhookRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch, context);
  const rows = batch.flatMap((entry) => toRow(entry, known, context) ?? []);
  const fresh = rows.filter(({ existing }) => existing === undefined);
  await insert(tx, fresh, context.now);
  const changed = rows.filter(({ existing, columns }) => existing && differs(existing, columns));
  // Only now: a batch that fails before is undone, and what it wanted changed must not stay.
  noteChanges(changed, context);
  const unchanged = rows.length - fresh.length - changed.length;
  return { created: fresh.length, updated: changed.length, unchanged };
}

/**
 * What an import changes of endpoints that were there. Whoever sends to one of those, or queues something for
 * it, waits for the import from then on: it changes them at the end.
 */
const pending = new WeakMap<ImportContext, Map<number, Columns>>();

function noteChanges(rows: Row[], context: ImportContext): void {
  if (rows.length === 0) return;
  const changes = pending.get(context) ?? new Map<number, Columns>();
  if (!pending.has(context)) {
    pending.set(context, changes);
    context.atEnd((tx) => applyAll(tx, changes, context.now));
  }
  for (const { existing, columns } of rows) {
    if (existing) changes.set(existing.id, { ...changes.get(existing.id), ...columns });
  }
}

async function applyAll(tx: Db, changes: Map<number, Columns>, now: Date): Promise<void> {
  // In the order of their numbers, as everybody who holds several.
  for (const [id, columns] of [...changes].toSorted(([one], [other]) => one - other)) {
    const before = await queries.lock(tx, id);
    // Its owner may have removed it in the meantime.
    if (!before) continue;
    const isDisabled = !before.disabled_at && columns.disabled_at !== undefined;
    await queries.update(tx, id, { ...columns, ...(isDisabled && UNSETTLED) });
    if (isDisabled) await settleSome(tx, id, now);
  }
}

async function lookUp(tx: Db, batch: Entry<WebhookRecord>[], context: ImportContext): Promise<Known> {
  const owners = await users.idsByUsername(
    tx,
    batch.map(({ fields }) => fields.user),
  );
  const ids = [...new Set(owners.values())];
  // Their owners aren't held: an import has more to change of theirs, which others may wait for.
  const stored = await recordQueries.listOf(tx, ids);
  const changes = pending.get(context);
  const rows = stored.map((row) => ({ ...row, ...changes?.get(row.id) }));
  const counts = new Map<number, number>();
  for (const { user_id } of rows) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  return { owners, existing: new Map(rows.map((row) => [keyOfRow(row), row])), counts };
}

function toRow(entry: Entry<WebhookRecord>, known: Known, context: ImportContext): Row | undefined {
  const { fields } = entry;
  try {
    const userId = known.owners.get(fields.user.toLowerCase());
    if (userId === undefined) {
      throw invalid(`user ${quote(fields.user)} is not a user of the site or of an earlier line`);
    }
    const columns = toColumns(fields);
    const existing = known.existing.get(keyOfRow({ user_id: userId, target_url: columns.target_url }));
    if (!existing) countOne(known.counts, userId);
    return { wantedId: fields.id, userId, columns, existing };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.reject(entry, error.message);
    return undefined;
  }
}

/** @throws AppError invalid when somebody would have too many */
function countOne(counts: Map<number, number>, userId: number): void {
  const count = (counts.get(userId) ?? 0) + 1;
  if (count > MAX_ENDPOINTS) {
    throw invalid(
      `there can be at most ${MAX_ENDPOINTS} webhook endpoints per user, with those the site has already`,
    );
  }
  counts.set(userId, count);
}

async function insert(tx: Db, rows: Row[], now: Date): Promise<void> {
  const wanted = rows.map(({ wantedId }) => wantedId);
  const ids = await reserveIds(tx, "webhook_endpoints", wanted);
  for (const [index, { userId, columns }] of rows.entries()) {
    const id = ids[index];
    const row = { ...defaultsAt(now), ...columns, user_id: userId };
    await recordQueries.insert(tx, { ...row, ...(id !== undefined && { id }) });
  }
}

async function* read(db: Db, options: ExportOptions): AsyncGenerator<WebhookRecord> {
  for await (const rows of inPages((after) => recordQueries.listAfter(db, after))) {
    for (const row of rows) yield toRecord(row, options);
  }
}
