import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { WebhookEndpoints } from "../../platform/db/tables.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import { readField } from "../../platform/fields/fields.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import type { ImportState } from "../records/record-type.ts";
import { Id, Moment, OptionalText, Text } from "../records/schema.ts";
import * as users from "../users/users.ts";
import { MAX_ENDPOINTS } from "./endpoints.ts";
import { FIELDS, normalUrl } from "./fields.ts";
import * as queries from "./queries.ts";
import { isSecret, makeSecret } from "./signing.ts";

export const WebhookRecord = Type.Object({
  user: Text,
  source: Text,
  target_url: Text,
  events: Type.Array(Text, { minItems: 1 }),
  id: Id,
  secret: OptionalText,
  created_at: Moment,
  disabled_at: Moment,
  disabled_reason: OptionalText,
});
export type WebhookRecord = Static<typeof WebhookRecord>;

export const webhookRecords = recordType({
  type: "webhook_endpoint",
  schema: WebhookRecord,
  keyOf: ({ user, target_url }) => `${user.toLowerCase()} ${normalUrl(target_url.trim())}`,
  table: "webhook_endpoints",
  references: { user: users.byUsername },
  lookUp: async (tx, records, context) => {
    // Their owners aren't locked: an import has more to change of theirs, which others may wait for.
    const stored = await queries.listOf(
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
  defaults: (now) => ({ secret: makeSecret(), created_at: now }),
  update: (_tx, rows, context) => {
    const changes = context.state(CHANGES);
    for (const { before, change } of rows) {
      changes.set(before.id, { ...changes.get(before.id), ...(change as Changes) });
    }
    return Promise.resolve();
  },
  read: byId(queries.listAfter, ({ secret, ...row }, { withSecrets }) => ({
    ...row,
    secret: withSecrets ? secret : undefined,
  })),
});

type Changes = Partial<Selectable<WebhookEndpoints>>;

/** Changes of endpoints that were there, made after the import's transaction: no delivery waits for an import. */
const CHANGES: ImportState<Map<number, Changes>> = {
  initial: () => new Map(),
  afterCommit: async (db, changes) => {
    for (const [id, columns] of changes) await inTransaction(db, (tx) => queries.update(tx, id, columns));
  },
};

function countOne(counts: Map<number, number>, userId: number): void {
  const count = (counts.get(userId) ?? 0) + 1;
  if (count > MAX_ENDPOINTS) {
    throw invalid(
      `there can be at most ${MAX_ENDPOINTS} webhook endpoints per user, with those the site has already`,
    );
  }
  counts.set(userId, count);
}

/** The columns that a record gives. Any address will do: sending checks its destination. */
function toColumns(record: WebhookRecord) {
  return {
    source: readField(FIELDS.source, record.source, "source", "source"),
    target_url: readField(FIELDS.target_url, record.target_url, "target_url", "target_url"),
    events: readField(FIELDS.events, record.events, "events"),
    ...givenOf(record, { secret: checkSecret, created_at: fromIso, disabled_at: fromIso }),
    ...reasonOf(record),
  };
}

function reasonOf({ disabled_at, disabled_reason }: WebhookRecord) {
  if (disabled_at === undefined) {
    if (disabled_reason === undefined) return {};
    throw invalid("disabled_reason needs disabled_at beside it");
  }
  return { disabled_reason: disabled_reason ?? "It was disabled before it was imported." };
}

function checkSecret(text: string): string {
  if (isSecret(text)) return text;
  throw invalid("secret must be whsec_ and 24 to 64 bytes in base64");
}
