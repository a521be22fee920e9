import { checkBackups } from "../backup/nightly.ts";
import type { Config } from "../../platform/config.ts";
import { connect, type Db } from "../../platform/db/connect.ts";
import { SCHEMA_PROBLEM, schemaState } from "../../platform/db/migrate.ts";
import { serverOf } from "../../platform/db/replica.ts";
import { describeServer } from "../../platform/db/prepare-database.ts";
import * as checks from "../health/checks.ts";
import { examineOne, fail, type Finding, ok, type Outcome, warn } from "../health/finding.ts";
import { type OnCheck, verify } from "../health/invariants.ts";
import { toSentence } from "./failures.ts";
import { openConnection } from "./with-database.ts";

export interface DatabaseOptions {
  verify: boolean;
  onCheck?: OnCheck;
}

export async function checkDatabase(config: Config, options: DatabaseOptions): Promise<Finding[]> {
  const message =
    config.databaseUrl === undefined ? `Embedded, in ${config.dataDir}.` : "External, named by DATABASE_URL.";
  const engine: Finding = { check: "engine", ...ok(message) };
  try {
    return [engine, ...(await ask(config, options))];
  } catch (error) {
    return [engine, { check: "database", ...fail(toSentence(error)) }];
  }
}

async function ask(config: Config, { verify: isWhole, onCheck }: DatabaseOptions): Promise<Finding[]> {
  const { connection, close } = await openConnection(config, () => {});
  const preparing = { isOn: config.preparedStatements === "auto" };
  const { db } = connect({ connection, poolSize: 1, preparing });
  try {
    const { findings, isCurrent } = await examineDatabase(db, config);
    for (const url of config.databaseReplicaUrls)
      findings.push(await examineOne(`replica ${serverOf(url)}`, () => checks.checkReplica(db, url)));
    if (!isWhole || !isCurrent) return findings;
    return [...findings, ...(await verifyData(db, config, onCheck))];
  } finally {
    await db.destroy();
    await close();
  }
}

/** A failure ends the checks: they all need the database. */
export async function examineDatabase(db: Db, config: Config) {
  const findings: Finding[] = [{ check: "database", ...(await checkVersion(db)) }];
  const isCurrent = () => findings.some(({ check, result }) => check === "schema" && result === "ok");
  for (const [check, look] of Object.entries(CHECKS)) {
    if (!NEED_TABLES.has(check) || isCurrent()) findings.push(await examineOne(check, () => look(db)));
  }
  if (isCurrent()) findings.push(await examineOne("backups", () => checkBackups(db, config)));
  if (isCurrent()) findings.push(await examineOne("mail", () => checks.checkMail(db, config)));
  return { findings, isCurrent: isCurrent() };
}

export const verifyData = async (db: Db, config: Config, onCheck?: OnCheck): Promise<Finding[]> => [
  ...(await verify(db, onCheck)),
  await examineOne("files", () => checks.checkFiles(db, config)),
];

/** Another schema may lack their tables. */
const NEED_TABLES = new Set(["search", "demo", "admins", "passwords", "held requests"]);

const CHECKS: Record<string, (db: Db) => Promise<Outcome>> = {
  role: checks.checkRole,
  schema: checkSchema,
  durability: checks.checkDurability,
  encoding: checkEncoding,
  letters: checks.checkLetters,
  search: checks.checkSearch,
  demo: checks.checkDemo,
  admins: checks.checkAdmins,
  passwords: checks.checkPasswords,
  "held requests": checks.checkOutbound,
  clock: checks.checkClock,
};

async function checkVersion(db: Db): Promise<Outcome> {
  const { version } = await describeServer(db);
  if (Number.parseInt(version, 10) >= 15) return ok(`PostgreSQL ${version}.`);
  return fail(`PostgreSQL ${version}: install 15 or newer.`);
}

async function checkSchema(db: Db): Promise<Outcome> {
  const state = await schemaState(db);
  if (state === "current") return ok("Up to date.");
  return (state === "empty" ? warn : fail)(SCHEMA_PROBLEM[state]);
}

async function checkEncoding(db: Db): Promise<Outcome> {
  const { encoding } = await describeServer(db);
  if (encoding === "UTF8") return ok("UTF8.");
  return fail(`${encoding}: move to a database with the encoding UTF8.`);
}
