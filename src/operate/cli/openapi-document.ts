import { buildApp } from "../../app.ts";
import { readConfig } from "../../platform/config.ts";
import { createDisk } from "../../platform/files/disk.ts";
import { createFiles } from "../../platform/files/files.ts";
import { createDeferredPool, createServices, onPool } from "./server-parts.ts";

export async function openapiText(): Promise<string> {
  const db = onPool(createDeferredPool());
  const config = { ...readConfig({}), logLevel: "silent" };
  const databases = { main: db, replica: db, shared: db, slow: db, jobs: db };
  const services = createServices(config, { db: databases, disk: createDisk(0) });
  const context = {
    config,
    db: databases,
    files: createFiles(config.dataDir),
    now: () => new Date(),
  };
  const app = await buildApp(context, services);
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await services.renderPool.close();
  }
}
