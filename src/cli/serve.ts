import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { startProgress, step } from "./progress.ts";
import type { ServeOptions } from "./serve-site.ts";

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("serve the site until SIGTERM or Ctrl-C")
    .option("--demo", "load the demo community first if it isn't there, and print an API key for it")
    .addHelpText("after", "\nExample:\n  PORT=8080 inkstone serve")
    .action(async (options: ServeOptions) => {
      const config = readConfig();
      const progress = startProgress({ json: config.logFormat === "json" });
      progress.show(step("Starting Inkstone"));
      const { serve } = await import("./serve-site.ts");
      process.exitCode = await serve(config, options, progress).finally(progress.end);
    });
}
