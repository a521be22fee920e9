import { sql } from "kysely";
import { buildApp } from "../src/app.ts";
import { type Connection, connect } from "../src/db/connect.ts";
import type { App } from "../src/http/app-type.ts";
import { connectionTo, withOptions } from "./database.ts";
import { type Call, createServices, type Reply, send, type World } from "./world.ts";

/** A second server on the database of a world, which shares nothing with the first one but that. */
export interface AnotherServer extends Connection {
  app: App;
  services: ReturnType<typeof createServices>;
  request: (call: Call) => Promise<Reply>;
  stop: () => Promise<void>;
}

interface Options {
  /** The options of each session, as in `-c name=value`. */
  session?: string;
  poolSize?: number;
}

export async function startAnother(
  world: World,
  { session, poolSize = 4 }: Options = {},
): Promise<AnotherServer> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
  const database = connectionTo(rows[0]?.name ?? "");
  const connection = session === undefined ? database : withOptions(database, session);
  const opened = connect({ connection, poolSize });
  const { db } = opened;
  const services = createServices(db, world.context.config);
  const app = await buildApp(
    { ...world.context, db: { main: db, replica: db, shared: db, slow: db, jobs: db } },
    services,
  );
  await app.ready();
  return {
    ...opened,
    app,
    services,
    request: (call) => send(app, call),
    async stop() {
      await app.close();
      services.images.close();
      await services.net.close();
      await db.destroy();
    },
  };
}
