import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { recordType } from "../records/driver.ts";
import { upsertRows } from "../records/rows.ts";
import { Settings } from "../settings/schema.ts";
import { allowed, faultyPart, isKey } from "../settings/settings.ts";
import { quote } from "../text/quote.ts";
import { describe } from "./shape.ts";

const SettingRecord = Type.Object({ key: Type.String(), value: Type.Unknown() });
type SettingRecord = Static<typeof SettingRecord>;

export const settingRecords = recordType({
  type: "setting",
  schema: SettingRecord,
  keyOf: ({ key }) => key,
  table: "settings",
  lookUp: readStored,
  key: ({ fields }) => ({ key: fields.key }),
  columns: ({ fields: { key, value }, known: stored, context }) => {
    const fault = faultOf(key, value);
    if (fault !== undefined) throw invalid(fault);
    if (stored.get(key) === value) return undefined;
    return { value: JSON.stringify(value), updated_at: context.now };
  },
  store: (tx, rows) => upsertRows(tx, { table: "settings", key: "key" }, rows),
  read,
});

function faultOf(key: string, value: unknown): string | undefined {
  if (!isKey(key)) return `there is no setting ${quote(key)}`;
  if (Value.Check(Settings.properties[key], value)) return undefined;
  return `value must be ${allowed(key)}, not ${describe(faultyPart(key, value))}`;
}

async function readStored(db: Db): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom("settings").select(["key", "value"]).orderBy("key").execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function* read(db: Db): AsyncGenerator<SettingRecord> {
  for (const [key, value] of await readStored(db)) {
    // An invalid value counts as the default.
    if (faultOf(key, value) === undefined) yield { key, value };
  }
}
