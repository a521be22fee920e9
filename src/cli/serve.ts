import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { startEngine } from "./early-engine.ts";
import { startProgress, step } from "./progress.ts";

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("serve the site until SIGTERM or Ctrl-C")
    .option("--demo", "load the demo community first if it isn't there, and print an API key for it")
    .addHelpText("after", "\nExample:\n  PORT=8080 inkstone serve")
    .action(async (options: { demo?: boolean }) => {
      const config = readConfig();
      const progress = startProgress({ json: config.logFormat === "json" });
      progress.show(step("Starting Inkstone"));
      const engine = config.databaseUrl === undefined ? startEngine(config) : undefined;
      const { serve } = await import("./serve-site.ts");
      process.exitCode = await serve(config, { ...options, progress, engine }).finally(progress.end);
    });
}
