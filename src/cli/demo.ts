import type { Command } from "commander";
import { createRenderPool } from "../text/render-pool.ts";
import type { DemoTally } from "./demo-site.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

type DemoArguments = JsonOption & { remove?: boolean };

const NOTHING: DemoTally = { users: 0, organizations: 0, tags: 0, articles: 0 };

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("load the demo community, or remove it")
    .option("--remove", "remove everything that the demo loaded")
    .option("--json", "print the number of each kind")
    .addHelpText("after", "\nExamples:\n  inkstone demo\n  inkstone demo --remove")
    .action((options: DemoArguments) => (options.remove ? remove(options) : load(options)));
}

async function load(options: DemoArguments): Promise<void> {
  const { loadDemo } = await import("./demo-site.ts");
  const renderPool = createRenderPool();
  try {
    const tally = await withDatabase(options, ({ db }) => loadDemo(db, { renderPool, now: new Date() }));
    printResult(options, tally ?? NOTHING, () =>
      tally ? `Loaded ${describe(tally)}.` : "The demo is already loaded.",
    );
  } finally {
    await renderPool.close();
  }
}

async function remove(options: DemoArguments): Promise<void> {
  const { removeDemo } = await import("./demo-site.ts");
  const tally = await withDatabase(options, ({ db }) => removeDemo(db, new Date()));
  const isNothing = Object.values(tally).every((number) => number === 0);
  printResult(options, tally, () =>
    isNothing ? "There is no demo to remove." : `Removed ${describe(tally)}.`,
  );
}

function describe({ users, organizations, tags, articles }: DemoTally): string {
  const people = users === 1 ? "1 person" : `${users} people`;
  return `${people}, ${count(organizations, "organization")}, ${count(tags, "tag")} and ${count(articles, "article")}`;
}
