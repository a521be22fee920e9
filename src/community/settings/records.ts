import { type Static, Type } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { accepts, readField } from "../../platform/fields/fields.ts";
import { recordType } from "../records/driver.ts";
import { upsertRows } from "../records/rows.ts";
import { quote } from "../../platform/text/quote.ts";
import { FIELDS } from "../../platform/settings/fields.ts";
import { isKey } from "../../platform/settings/settings.ts";

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
    if (!isKey(key)) throw invalid(`there is no setting ${quote(key)}`);
    readField<unknown>(FIELDS[key], value, "value", "value");
    if (stored.get(key) === value) return undefined;
    return { value: JSON.stringify(value), updated_at: context.now };
  },
  store: (tx, rows) => upsertRows(tx, { table: "settings", key: "key" }, rows),
  read,
});

async function readStored(db: Db): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom("settings").select(["key", "value"]).orderBy("key").execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function* read(db: Db): AsyncGenerator<SettingRecord> {
  for (const [key, value] of await readStored(db)) {
    // An invalid value counts as the default.
    if (isKey(key) && accepts(FIELDS[key], value)) yield { key, value };
  }
}
