import type { Command } from "commander";
import { invalid } from "../errors.ts";
import { DESCRIBED, type SettingKey, WITH_SITE } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addSettings(program: Command): void {
  const command = program.command("settings").description("read and change the community's settings");
  command
    .command("get")
    .description("print all settings, or one")
    .argument("[key]")
    .option("--json", "print a JSON object, or for one setting its value")
    .addHelpText("after", "\nExample:\n  inkstone settings get visibility")
    .action(async (key: string | undefined, options: JsonOption) => {
      const all: Record<string, string | number> = await withDatabase(options, ({ db }) => settings.read(db));
      if (key === undefined) printResult(options, all, () => list(all));
      else if (!Object.hasOwn(all, key)) throw unknown(key, all);
      else printResult(options, all[key], () => String(all[key]));
    });
  command
    .command("set")
    .description("change a setting; running servers apply it within a second")
    .argument("<key>")
    .argument("<value>")
    .option("--json", 'print {"key", "value"}')
    .addHelpText("after", '\nExample:\n  inkstone settings set community_name "Tinker Lab"')
    .action(async (key: string, value: string, options: JsonOption) => {
      const stored = await withDatabase(options, async ({ db }) => {
        await settings.set(db, key, value);
        return ((await settings.read(db)) as Record<string, string | number>)[key];
      });
      printResult(
        options,
        { key, value: stored },
        () => `${key} is now ${stored === "" ? "empty" : stored}.${waitsForSite(key) ? ` ${WITH_SITE}` : ""}`,
      );
    });
}

function list(all: Record<string, string | number>): string {
  return Object.entries(all)
    .map(([key, value]) => `${key}: ${value}${waitsForSite(key) ? "  (takes effect with the site)" : ""}`)
    .join("\n");
}

function waitsForSite(key: string): boolean {
  return DESCRIBED[key as SettingKey].description.includes(WITH_SITE);
}

function unknown(key: string, all: object): Error {
  return invalid(`There is no setting ${JSON.stringify(key)}. Known are: ${Object.keys(all).join(", ")}.`);
}
