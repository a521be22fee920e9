import { buildApp } from "../../src/app.ts";
import { createFragments } from "../../src/cache/fragments.ts";
import { createFreshness } from "../../src/cache/fresh.ts";
import { readConfig } from "../../src/config.ts";
import { connect } from "../../src/db/connect.ts";
import { createRenderPool } from "../../src/text/render-pool.ts";

/** The description of the interface, taken from the server itself; the server is never asked for anything. */
export async function openapiFile(): Promise<string> {
  const config = { ...readConfig({}), logLevel: "silent" };
  const { db } = connect({ connection: {}, poolSize: 1 });
  const context = { config, db: { main: db, replica: db, slow: db }, now: () => new Date(0) };
  const engine = { fresh: createFreshness(db), fragments: createFragments(), renderPool: createRenderPool() };
  const app = await buildApp(context, engine);
  await app.ready();
  const description = `${JSON.stringify(app.swagger(), null, 2)}\n`;
  await app.close();
  await engine.renderPool.close();
  await db.destroy();
  return description;
}
