import { migrate } from "../db/migrate.ts";
import type { Connection } from "../db/connect.ts";
import { asOwner, checkServer, type Preparation } from "../db/prepare-database.ts";
import { count } from "../text/sentences.ts";
import { action } from "./command.ts";
import { printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export const addMigrate = action(
  {
    name: "migrate",
    text: "update the database's schema",
    json: 'print {"ran": [...]}',
    examples: "inkstone migrate",
  },
  async (_given, called) => {
    const ran = await withDatabase(called, update, async () => {});
    printResult(called, { ran }, () =>
      ran.length === 0
        ? "The schema is up to date."
        : `Ran ${count(ran.length, "migration")}: ${ran.join(", ")}.`,
    );
  },
);

function update(program: Connection, { owner }: Preparation): Promise<string[]> {
  return asOwner(program, owner, async (connection, programRole) => {
    await checkServer(connection.db);
    return migrate(connection, programRole);
  });
}
