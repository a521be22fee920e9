import { existsSync } from "node:fs";
import { readConfig } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { openFiles } from "../../platform/files/open.ts";
import { createImages } from "../../content/images/images.ts";
import { locate } from "../../platform/program-files.ts";
import { uploadPath } from "../../platform/paths.ts";
import type { SettingKey } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import { quote } from "../../platform/text/quote.ts";
import * as uploads from "../../community/uploads/uploads.ts";
import { action, AS_THE_SERVER, command, group } from "./command.ts";
import { printResult } from "./output.ts";
import { readPicture } from "./profile-image.ts";
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
      if (name === "logo_url") await refuseMissing(value);
      await settings.set(db, name, value);
      const key = settings.checkedKey(name);
      return { key, value: (await settings.read(db))[key] };
    },
    print: ({ key, value }) => `${key} is now ${value === "" ? "empty" : JSON.stringify(value)}.`,
  }),
]);

async function uploadLogo(file: string): Promise<{ key: SettingKey; value: string }> {
  const bytes = await readPicture(file);
  const images = createImages();
  const studio = { files: await openFiles(readConfig()), images };
  const name = await uploads.createForSite(bytes, studio).finally(() => images.close());
  return { key: "logo_url", value: uploadPath(name) };
}

async function refuseMissing(path: string): Promise<void> {
  if (!path.startsWith("/") || path.startsWith("//")) return;
  if (path.startsWith("/assets/") && existsSync(locate(`..${path}`))) return;
  const name = path.startsWith(uploadPath("")) ? path.slice(uploadPath("").length) : "";
  const file = /^[0-9a-f]{32}\.[a-z]+$/.test(name)
    ? await uploads.open(await openFiles(readConfig()), name)
    : undefined;
  file?.stream.destroy();
  if (file === undefined)
    throw invalid(
      `logo_url ${quote(path)} leads to no file: upload one with \`inkstone settings set logo FILE\`.`,
    );
}
