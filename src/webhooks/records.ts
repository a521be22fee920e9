import type { Selectable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { WebhookEndpoints } from "../db/tables.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import { byId } from "../records/pages.ts";
import { recordType } from "../records/driver.ts";
import type { ImportState } from "../records/record-type.ts";
import * as users from "../users/users.ts";
import { normalUrl } from "./attributes.ts";
import { settleSome, UNSETTLED } from "./endpoint-state.ts";
import { MAX_ENDPOINTS } from "./endpoints.ts";
import * as queries from "./queries.ts";
import * as recordQueries from "./record-queries.ts";
import { defaultsAt, toColumns, WebhookRecord } from "./record-row.ts";

/** Webhook endpoints of the community file. */
export const webhookRecords = recordType({
  type: "webhook_endpoint",
  schema: WebhookRecord,
  keyOf: ({ user, target_url }) => `${user.toLowerCase()} ${normalUrl(target_url.trim())}`,
  table: "webhook_endpoints",
  references: { user: users.byUsername },
  lookUp: async (tx, records, context) => {
    // Their owners aren't locked: an import has more to change of theirs, which others may wait for.
    const stored = await recordQueries.listOf(
      tx,
      records.map(({ ids }) => ids.user),
    );
    const changes = context.state(CHANGES);
    const rows = stored.map((row) => ({ ...row, ...changes.get(row.id) }));
    const counts = new Map<number, number>();
    for (const { user_id } of rows) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
    return { rows, counts };
  },
  key: ({ fields, ids }) => ({ user_id: ids.user, target_url: toColumns(fields).target_url }),
  find: (_tx, _keys, { rows }) => Promise.resolve(rows),
  columns: ({ fields, ids, known, existing }) => {
    if (!existing) countOne(known.counts, ids.user);
    return toColumns(fields);
  },
  defaults: defaultsAt,
  update: (_tx, rows, context) => {
    const changes = context.state(CHANGES);
    for (const { before, change } of rows) {
      changes.set(before.id, { ...changes.get(before.id), ...(change as Changes) });
    }
    return Promise.resolve();
  },
  read: byId(recordQueries.listAfter, ({ secret, ...row }, { withSecrets }) => ({
    ...row,
    secret: withSecrets ? secret : undefined,
  })),
});

type Changes = Partial<Selectable<WebhookEndpoints>>;

/** Changes of endpoints that were there, made after the import's transaction: no delivery waits for an import. */
const CHANGES: ImportState<Map<number, Changes>> = {
  initial: () => new Map(),
  afterCommit: applyAll,
};

async function applyAll(db: Db, changes: Map<number, Changes>, now: Date): Promise<void> {
  for (const [id, columns] of changes) {
    await inTransaction(db, async (tx) => {
      const before = await queries.lock(tx, id);
      // Its owner may have removed it in the meantime.
      if (!before) return;
      const isDisabled = !before.disabled_at && columns.disabled_at !== undefined;
      await queries.update(tx, id, { ...columns, ...(isDisabled && UNSETTLED) });
      if (isDisabled) await settleSome(tx, id, now);
    });
  }
}

/** @throws AppError invalid when a person would have too many */
function countOne(counts: Map<number, number>, userId: number): void {
  const count = (counts.get(userId) ?? 0) + 1;
  if (count > MAX_ENDPOINTS) {
    throw invalid(
      `there can be at most ${MAX_ENDPOINTS} webhook endpoints per user, with those the site has already`,
    );
  }
  counts.set(userId, count);
}
