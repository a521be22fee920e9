import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createDatabase, ownerTo } from "../../../test/database.ts";
import { backupOf } from "../../../test/backups.ts";
import { EMPTY, targets } from "../../../test/saved-site.ts";
import { connect } from "../../platform/db/connect.ts";
import { migrate, schemaState } from "../../platform/db/migrate.ts";
import { ownMigrations } from "../../platform/db/migrations.ts";

/** Of those that run at once. */
const lastMigration = async () => (await ownMigrations()).findLast(({ kind }) => kind === "expand");

/** A backup of the schema before the last migration. */
async function olderBackup(): Promise<Buffer> {
  const last = await lastMigration();
  const migrations = (await ownMigrations()).filter(({ name }) => name < (last?.name ?? ""));
  const older = await createDatabase(EMPTY);
  const owner = connect({ connection: ownerTo(older.name), poolSize: 4 });
  try {
    await migrate(owner, { known: migrations });
    await sql`
      with handle as (insert into handles (username, kind) values ('old', 'user') returning *)
      insert into users (username, name) select username, 'Old' from handle`.execute(owner.db);
    return await backupOf({ name: older.name, db: owner.db });
  } finally {
    await owner.db.destroy();
    await older.drop();
  }
}

describe.each([
  ["an empty database", EMPTY],
  ["a newer schema", undefined],
])("a backup of an older version, restored into %s", (_, template) => {
  const site = targets(template);

  test("gets the schema of before, its rows, and then the newer migrations", async () => {
    const last = await lastMigration();
    const { code, out } = await site.restore(await olderBackup());
    expect(code).toBe(0);
    expect(out).toContain(`Updated the schema: ${last?.name}`);
    expect(await schemaState(site.db)).toBe("current");
    const { rows } = await sql`select name from users`.execute(site.db);
    expect(rows).toEqual([{ name: "Old" }]);
  });
});
