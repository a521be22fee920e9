import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBackup } from "../../test/backup-file.ts";
import { commandsForAll } from "../../test/own-commands.ts";
import { urlOf } from "../../test/program.ts";
import { type Standby, type Standbys, startStandbys } from "../../test/standbys.ts";

const site = commandsForAll();
let servers: Standbys;
let replica: Standby;
beforeAll(async () => {
  servers = await startStandbys({ count: 1 });
  [replica] = servers.standbys as [Standby];
});
afterAll(() => servers.stop());

const onPrimary = (args: string[], replicas = replica.url) =>
  site.inkstone(args, { env: { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URLS: replicas } });
const take = (name: string, replicas?: string) =>
  onPrimary(["backup", join(site.folder, name), "--from-replica"], replicas);

test("a backup of a standby has what the primary had written when it began", async () => {
  await replica.delay(500);
  const named = ["--username", "ada", "--name", "Ada"];
  expect((await onPrimary(["user", "create", ...named])).err).toBe("");
  expect(await take("one.tar")).toMatchObject({ code: 0, err: "" });
  await replica.delay(0);
  const { tables } = await openBackup(await readFile(join(site.folder, "one.tar")));
  expect(tables.get("public.users")?.join("\n")).toContain("\tada\t");
});

test("a server that is no standby is refused, and so is the option without a replica", async () => {
  expect(await take("two.tar", urlOf(site.database.name))).toMatchObject({
    code: 1,
    err: expect.stringContaining("is no standby of the one in DATABASE_URL"),
  });
  expect(await take("two.tar", "")).toMatchObject({
    code: 1,
    err: "inkstone: There is no replica: set DATABASE_REPLICA_URLS.\n",
  });
  await expect(readFile(join(site.folder, "two.tar"))).rejects.toThrow("ENOENT");
});
