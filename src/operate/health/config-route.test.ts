import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import * as settings from "../../platform/settings/settings.ts";
import { worldForAll } from "../../../test/world.ts";

/** Stands in everything that is secret. */
const CANARY = "canary-zebra";

let keys: Record<string, string>;
const world = worldForAll({
  config: {
    healthCheckToken: `${CANARY}-token`,
    databaseUrl: `postgres://someone:${CANARY}-password@db.example/${CANARY}`,
    databaseOwnerUrl: `postgres://owner:${CANARY}-password@db.example/${CANARY}`,
  },
});
beforeAll(async () => {
  keys = await world.keysOf({ ada: "admin", moira: "moderator", mo: "member" });
});

describe("GET /api/admin/config", () => {
  test("shows an admin every setting, as it is at this moment", async () => {
    expect((await world.get("/api/admin/config", { key: keys["ada"] })).body).toEqual(settings.defaults());
    await settings.set(world.db, "community_name", "Loom Folk");
    await settings.set(world.db, "read_rate", "7");
    const { status, body, headers } = await world.get("/api/admin/config", { key: keys["ada"] });
    expect(status).toBe(200);
    expect(body).toEqual({ ...settings.defaults(), community_name: "Loom Folk", read_rate: 7 });
    expect(headers).toMatchObject({ "cache-control": "private, no-store" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("never has a secret in it, of the process or of the database", async () => {
    const ada = await world.db
      .selectFrom("users")
      .select("id")
      .where("username", "=", "ada")
      .executeTakeFirstOrThrow();
    await sql`update users set password_hash = ${`${CANARY}-hash`}, email = ${`${CANARY}@x.example`} where id = ${ada.id}`.execute(
      world.db,
    );
    await sql`update api_keys set hint = ${CANARY}`.execute(world.db);
    await sql`insert into page_view_keys (day, key) values ('2026-01-01', ${Buffer.from(CANARY.padEnd(32, "!"))})`.execute(
      world.db,
    );
    // A value of another version, or written by hand.
    await sql`insert into settings (key, value) values ('smtp_password', ${JSON.stringify(CANARY)}::jsonb)`.execute(
      world.db,
    );
    const { status, text } = await world.get("/api/admin/config", { key: keys["ada"] });
    expect(status).toBe(200);
    const { rows: hashes } = await sql<{
      sha256: string;
    }>`select encode(sha256, 'hex') as sha256 from api_keys`.execute(world.db);
    for (const secret of [CANARY, keys["ada"] as string, ...hashes.map(({ sha256 }) => sha256)]) {
      expect(text).not.toContain(secret);
    }
  });
});
