import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../db/connect.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { type SettingKey, Settings } from "../settings/schema.ts";
import { allowed } from "../settings/settings.ts";
import { quote } from "../text/quote.ts";
import { describe } from "./quote.ts";

const SettingRecord = Type.Object({ key: Type.String(), value: Type.Unknown() });
type SettingRecord = Static<typeof SettingRecord>;

/** The community's own settings in the community file; those that have their default are left out. */
export const settingRecords: RecordType<SettingRecord> = {
  type: "setting",
  schema: SettingRecord,
  keyOf: ({ key }) => key,
  write,
  read,
};

async function write(tx: Db, batch: Entry<SettingRecord>[], context: ImportContext): Promise<Tally> {
  const stored = await readStored(tx);
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  for (const entry of batch) {
    const { key, value } = entry.fields;
    const fault = faultOf(key, value);
    if (fault !== undefined) context.reject(entry, fault);
    else if (stored.get(key) === value) tally.unchanged += 1;
    else {
      await store(tx, { key, value: JSON.stringify(value), updated_at: context.now });
      tally[stored.has(key) ? "updated" : "created"] += 1;
    }
  }
  return tally;
}

function faultOf(key: string, value: unknown): string | undefined {
  if (!isKey(key)) return `there is no setting ${quote(key)}`;
  if (Value.Check(Settings.properties[key], value)) return undefined;
  return `value must be ${allowed(key)}, not ${describe(value)}`;
}

async function store(tx: Db, row: { key: string; value: string; updated_at: Date }): Promise<void> {
  await tx
    .insertInto("settings")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({ value: row.value, updated_at: row.updated_at }),
    )
    .execute();
}

async function readStored(db: Db): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom("settings").select(["key", "value"]).orderBy("key").execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function* read(db: Db): AsyncGenerator<SettingRecord> {
  for (const [key, value] of await readStored(db)) {
    // What this version doesn't accept counts as the default, here as everywhere.
    if (faultOf(key, value) === undefined) yield { key, value };
  }
}

function isKey(key: string): key is SettingKey {
  return Object.hasOwn(Settings.properties, key);
}
