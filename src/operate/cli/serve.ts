import cluster from "node:cluster";
import { hasWorkers } from "../../platform/config/connections.ts";
import { type Config, ConfigError, readConfig, useDemoData } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { action } from "./command.ts";
import { startEngine } from "./early-engine.ts";
import { startProgress, step } from "./output.ts";

interface Options {
  demo?: boolean;
  workers?: string;
}

export const addServe = action(
  {
    name: "serve",
    text: "serve the site until SIGTERM or Ctrl-C",
    options: {
      "--demo":
        "serve a demo community, loaded first if it isn't there, from ./demo-data unless DATA_DIR is set; prints an API key for it",
      "--workers <number>":
        "serve with as many processes, or with one for each processor (auto): WORKERS is this number",
    },
    examples: ["inkstone serve", "inkstone serve --workers 4"],
  },
  async (options: Options) => {
    if (options.demo) useDemoData();
    process.exitCode = await (cluster.isWorker ? serveForParent(options) : serve(options));
  },
);

const NO_BUCKET =
  "The demo has its own database, and a bucket belongs to one site, whose files it would remove: unset S3_ENDPOINT and the other variables of S3_….";

const configOf = ({ workers }: Options) => readConfig(undefined, { WORKERS: workers });

async function serve(options: Options): Promise<number> {
  const config = configOf(options);
  checkRole(config);
  if (options.demo && config.s3 && config.databaseUrl === undefined) throw invalid(NO_BUCKET);
  const progress = startProgress({ json: config.logFormat === "json" });
  progress.show(step("Starting Inkstone"));
  const engine = config.databaseUrl === undefined ? startEngine(config) : undefined;
  const { demo } = options;
  const serving = hasWorkers(config)
    ? import("./serve-workers.ts").then(({ serveWorkers }) => serveWorkers(config, { progress, engine }))
    : import("./serve-site.ts").then(({ serve }) => serve(config, { demo, progress, engine }));
  return serving.finally(progress.end);
}

async function serveForParent(options: Options): Promise<number> {
  const { joinParent } = await import("../workers/parent.ts");
  const parent = joinParent();
  try {
    const config = configOf(options);
    const { serve } = await import("./serve-site.ts");
    const progress = startProgress({ json: true });
    return await serve(config, { demo: options.demo, progress, parent });
  } catch (error) {
    const { toSentence } = await import("./failures.ts");
    parent.tellFailure(toSentence(error));
    return 1;
  } finally {
    parent.leave();
  }
}

/** The workers of a server on the embedded PostgreSQL have roles too. */
function checkRole({ role, databaseUrl }: Config): void {
  if (role !== "all" && databaseUrl === undefined)
    throw new ConfigError(
      `ROLE is ${role}, but the embedded PostgreSQL serves one server, which must do all work: remove ROLE, or set DATABASE_URL.`,
    );
}
