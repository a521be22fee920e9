import { DESCRIBED, type SettingKey, WITH_SITE } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import { action, command, group } from "./command.ts";
import { printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export const addSettings = group("settings", "read and change the community's settings", [
  action(
    {
      name: "get",
      text: "print all settings, or one",
      args: { "[key]": "" },
      json: "print a JSON object, or for one setting its value",
      examples: "inkstone settings get visibility",
    },
    async ({ key }: { key: string | undefined }, called) => {
      const all = await withDatabase(called, ({ db }) => settings.read(db));
      if (key === undefined) return printResult(called, all, () => describe(all));
      const value = all[settings.checkedKey(key)];
      return printResult(called, value, () => String(value));
    },
  ),
  command({
    name: "set",
    text: "change a setting; running servers apply it within a second",
    args: { "<key>": "", "<value>": "" },
    json: ["key", "value"],
    examples: 'inkstone settings set community_name "Tinker Lab"',
    run: async (db, { key: given, value }: { key: string; value: string }) => {
      await settings.set(db, given, value);
      const key = settings.checkedKey(given);
      return { key, value: (await settings.read(db))[key] };
    },
    print: ({ key, value }) =>
      `${key} is now ${value === "" ? "empty" : value}.${waitsForSite(key) ? ` ${WITH_SITE}` : ""}`,
  }),
]);

function describe(all: object): string {
  return Object.entries(all)
    .map(
      ([key, value]) =>
        `${key}: ${value}${waitsForSite(key as SettingKey) ? "  (takes effect with accounts)" : ""}`,
    )
    .join("\n");
}

function waitsForSite(key: SettingKey): boolean {
  return DESCRIBED[key].description.includes(WITH_SITE);
}
