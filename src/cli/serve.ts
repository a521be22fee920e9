import { DEMO_DEFAULTS, readConfig } from "../config.ts";
import { invalid } from "../errors.ts";
import { action } from "./command.ts";
import { startEngine } from "./early-engine.ts";
import { startProgress, step } from "./output.ts";

export const addServe = action(
  {
    name: "serve",
    text: "serve the site until SIGTERM or Ctrl-C",
    options: {
      "--demo":
        "serve a demo community, loaded first if it isn't there, from ./demo-data unless DATA_DIR is set; prints an API key for it",
    },
    examples: "PORT=8080 inkstone serve",
  },
  async (options: { demo?: boolean }) => {
    const config = readConfig(undefined, options.demo ? DEMO_DEFAULTS : {});
    if (options.demo && config.s3 && config.databaseUrl === undefined)
      throw invalid(
        "The demo has its own database, and a bucket belongs to one site, whose files it would remove: unset S3_ENDPOINT and the other variables of S3_….",
      );
    const progress = startProgress({ json: config.logFormat === "json" });
    progress.show(step("Starting Inkstone"));
    const engine = config.databaseUrl === undefined ? startEngine(config) : undefined;
    const { serve } = await import("./serve-site.ts");
    process.exitCode = await serve(config, { ...options, progress, engine }).finally(progress.end);
  },
);
