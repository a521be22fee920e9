import { readConfig } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as demo from "../demo/demo.ts";
import { count } from "../../platform/text/sentences.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";
import { command } from "./command.ts";

const NOTHING: demo.DemoTally = { users: 0, organizations: 0, tags: 0, articles: 0 };

export const addDemo = command({
  name: "demo",
  text: "load the demo community, or remove it",
  options: { "--remove": "remove everything that the demo loaded" },
  json: "print the number of each kind",
  examples: ["inkstone demo", "inkstone demo --remove"],
  run: (db, { remove = false }: { remove?: boolean }) => (remove ? demo.remove(db, new Date()) : load(db)),
  print: (tally, { remove = false }) => {
    const isNothing = Object.values(tally).every((number) => number === 0);
    if (remove) return isNothing ? "There is no demo to remove." : `Removed ${describe(tally)}.`;
    return isNothing ? "The demo is already loaded." : `Loaded ${describe(tally)}.`;
  },
});

async function load(db: Db): Promise<demo.DemoTally> {
  const renderPool = createRenderPool();
  try {
    return (await demo.load(db, { renderPool, now: new Date(), baseUrl: readConfig().baseUrl })) ?? NOTHING;
  } finally {
    await renderPool.close();
  }
}

const describe = ({ users, organizations, tags, articles }: demo.DemoTally): string =>
  `${count(users, "user")}, ${count(organizations, "organization")}, ${count(tags, "tag")} and ${count(articles, "article")}`;
