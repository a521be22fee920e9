import pg from "pg";
import { lockSession } from "../locks.ts";
import { SUPERUSER } from "./cluster.ts";
import { readPidFile } from "./processes.ts";

export type EngineConnection = ReturnType<typeof connectionVia>;

const DATABASE = "inkstone";

/** The plain role of the program, which owns the database. */
const PROGRAM_ROLE = "inkstone_app";

/** @param host the directory of the socket */
export function connectionVia(host: string, port: number) {
  return { host, port, user: PROGRAM_ROLE, database: DATABASE };
}

export function asSuperuser(connection: EngineConnection): EngineConnection {
  return { ...connection, user: SUPERUSER };
}

/** A connection that breaks while idle does not end the process. */
async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function prepareDatabase(connection: EngineConnection): Promise<void> {
  const client = await openClient({ ...asSuperuser(connection), database: "postgres" });
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount !== 0) return;
    const roles = await client.query("select from pg_roles where rolname = $1", [PROGRAM_ROLE]);
    if (roles.rowCount === 0) await client.query(`create role ${PROGRAM_ROLE} login`);
    await client.query(`create database ${DATABASE} owner ${PROGRAM_ROLE}`);
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
