import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir } from "../../../test/engine-process.ts";
import { connect } from "../../platform/db/connect.ts";
import { asOwner, asSuperuser, type EngineConnection } from "../../platform/db/embedded/database.ts";
import { type Engine, openEngine } from "../../platform/db/embedded/engine.ts";
import { checkRole } from "./checks.ts";

describe("the doctor's view of the role", () => {
  const dataDir = newDataDir();
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine({ dataDir, holder: "server", log: () => {} });
  });
  afterAll(async () => {
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function check(connection: EngineConnection & { options?: string }) {
    const { db } = connect({ connection, poolSize: 1 });
    try {
      return await checkRole(db);
    } finally {
      await db.destroy();
    }
  }

  test("names the plain one that the program uses on the embedded PostgreSQL", async () => {
    expect(await check(engine.connection)).toEqual({
      result: "ok",
      message: "inkstone_app reads and writes rows. Another role owns the tables.",
    });
  });

  test("says that the only role of a database may change its tables", async () => {
    const { result, message } = await check(asOwner(engine.connection));
    expect(result).toBe("ok");
    expect(message).toBe(
      "inkstone_owner is not a superuser, but may create tables: DATABASE_OWNER_URL keeps that for a second role.",
    );
  });

  test("warns of a superuser, also of one that works as another role", async () => {
    const superuser = asSuperuser(engine.connection);
    for (const connection of [superuser, { ...superuser, options: "-c role=inkstone_app" }]) {
      const { result, message } = await check(connection);
      expect(result).toBe("warn");
      expect(message).toMatch(/^inkstone is a superuser, .* use that role in DATABASE_URL\.$/);
    }
  });
});
