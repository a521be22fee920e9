import { readConfig } from "../../platform/config.ts";
import { openFiles } from "../../platform/files/open.ts";
import { createImages } from "../../content/images/images.ts";
import type { SettingKey } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import { change } from "../../community/settings/changing.ts";
import * as logo from "../../community/uploads/logo.ts";
import { operator } from "../../http/actor.ts";
import { action, AS_THE_SERVER, command, group } from "./command.ts";
import { printResult } from "./output.ts";
import { readPicture } from "./user-edit.ts";
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
      const lines = () => Object.entries(all).map((setting) => setting.join(": "));
      if (key === undefined) return printResult(called, all, () => lines().join("\n"));
      const value = all[settings.checkedKey(key)];
      return printResult(called, value, () => String(value));
    },
  ),
  command({
    name: "set",
    text: "change a setting; running servers apply it within a second",
    args: { "<key>": "", "<value>": "" },
    json: ["key", "value"],
    examples: ['inkstone settings set community_name "Tinker Lab"', "inkstone settings set logo logo.png"],
    note: `\`set logo FILE\` uploads an image and makes it logo_url. ${AS_THE_SERVER}`,
    run: async (db, setting: { key: string; value: string }) => {
      const { key: name, value } = setting.key === "logo" ? await uploadLogo(setting.value) : setting;
      const key = settings.checkedKey(name);
      if (key === "logo_url") await logo.refuseMissing(await openFiles(readConfig()), value);
      await change(operator(db), { [key]: value });
      return { key, value: (await settings.read(db))[key] };
    },
    print: ({ key, value }) => `${key} is now ${value === "" ? "empty" : JSON.stringify(value)}.`,
  }),
]);

async function uploadLogo(file: string): Promise<{ key: SettingKey; value: string }> {
  const bytes = await readPicture(file);
  const images = createImages();
  const studio = { files: await openFiles(readConfig()), images };
  return { key: "logo_url", value: await logo.store(bytes, studio).finally(() => images.close()) };
}
