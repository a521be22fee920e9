import pg from "pg";
import { lockSession } from "../locks.ts";
import { SUPERUSER } from "./data-files.ts";
import { readPidFile } from "./processes.ts";

export type EngineConnection = ReturnType<typeof connectionVia>;

const DATABASE = "inkstone";

/** The plain role of the program, which reads and writes rows. */
const PROGRAM_ROLE = "inkstone_app";
/** Owns the database and everything in it, for the set-up and migrations. */
const OWNER_ROLE = "inkstone_owner";

/** @param host the directory of the socket */
export const connectionVia = (host: string, port: number) => ({
  host,
  port,
  user: PROGRAM_ROLE,
  database: DATABASE,
});

export const asSuperuser = (connection: EngineConnection): EngineConnection => ({
  ...connection,
  user: SUPERUSER,
});

export const asOwner = (connection: EngineConnection): EngineConnection => ({
  ...connection,
  user: OWNER_ROLE,
});

/** A connection that breaks while idle does not end the process. */
async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function prepareDatabase(connection: EngineConnection): Promise<void> {
  const server = { ...asSuperuser(connection), database: "postgres" };
  const isReady = await withClient(server, async (client) => {
    const { rows } = await client.query<{ owner: string }>(
      "select pg_get_userbyid(datdba) as owner from pg_database where datname = $1",
      [DATABASE],
    );
    if (rows[0]?.owner === OWNER_ROLE) return true;
    for (const role of [PROGRAM_ROLE, OWNER_ROLE]) {
      const roles = await client.query("select from pg_roles where rolname = $1", [role]);
      if (roles.rowCount === 0) await client.query(`create role ${role} login`);
    }
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
    return false;
  });
  if (!isReady) await withClient(asSuperuser(connection), (client) => client.query(HAND_OVER));
}

/** Ends with what marks it as done. No right covers `xmlparse` and constants of the type. */
const HAND_OVER = `
  reassign owned by ${PROGRAM_ROLE} to ${OWNER_ROLE};
  revoke usage on type xml from public;
  do $$ declare name text; begin
    for name in
      select oid::regprocedure from pg_proc where pronamespace = 'pg_catalog'::regnamespace
        and (proname like '%xml%' or proname like 'xpath%' or 'xml'::regtype = any (proargtypes::oid[]))
    loop execute format('revoke execute on function %s from public', name); end loop;
  end $$;
  alter database ${DATABASE} owner to ${OWNER_ROLE}`;

async function withClient<T>(connection: EngineConnection, work: (client: pg.Client) => Promise<T>) {
  const client = await openClient(connection);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Joins the PostgreSQL of a cluster; undefined when none is ready or it is about to end. */
export async function join(cluster: string) {
  const pidFile = readPidFile(cluster);
  if (!pidFile?.ready) return undefined;
  const connection = connectionVia(pidFile.socketDir, pidFile.port);
  const client = await openClient(connection).catch(() => undefined);
  if (!client) return undefined;
  if (await lockSession(client, "engineGuests", "tryShared").catch(() => false))
    return { connection, leave: () => client.end() };
  await client.end().catch(() => {});
  return undefined;
}

/** Waits for the last guest. No guest can join while the connection stays open. */
export async function dismissGuests(connection: EngineConnection, log: (line: string) => void) {
  try {
    const client = await openClient(connection);
    if (await lockSession(client, "engineGuests", "try")) return;
    log("Another command still uses the database: waiting for it to end.");
    await lockSession(client, "engineGuests", "wait");
  } catch {}
}
