import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolders } from "../../folders.ts";
import { type Account, canEnter, chooseAccount, EngineError, isRoot, nameOf } from "./account.ts";
import { holderOf } from "./lock.ts";

export type Location = ReturnType<typeof findLocation>;

const SYSTEM_DIR = "/var/lib/inkstone";

export function findLocation(dataDir: string, log: (line: string) => void) {
  makeDataDir(dataDir);
  const account = chooseAccount(dataDir);
  const canUse = !isRoot() || canEnter(dataDir, account);
  const home =
    linkedHome(join(dataDir, "postgres")) ?? (canUse ? fs.realpathSync(dataDir) : relocate(dataDir, log));
  const cluster = join(home, "postgres");
  refuseForeign(home, cluster);
  return {
    dataDir,
    /** Holds the cluster, the lock and the log: DATA_DIR, unless PostgreSQL's account cannot enter it. */
    home,
    cluster,
    account,
    makeSpareDir: () => (isRoot() ? makePassage(SYSTEM_DIR, 0o755) : home),
  };
}

const shortName = (directory: string): string =>
  createHash("sha256").update(directory).digest("hex").slice(0, 16);

/** An existing directory must belong to the account. */
export function makePrivateDir(directory: string, account: Account): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // Check and change go to one handle, so that a replaced directory is not followed.
  const handle = fs.openSync(
    directory,
    fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW,
  );
  try {
    const { uid } = fs.fstatSync(handle);
    if (uid !== account.uid && uid !== process.getuid?.())
      throw new EngineError(
        `${directory} belongs to another account (uid ${uid}): remove it, or give Inkstone another DATA_DIR.`,
      );
    fs.fchmodSync(handle, 0o700);
    if (uid !== account.uid) fs.fchownSync(handle, account.uid, account.gid);
  } finally {
    fs.closeSync(handle);
  }
}

/** PostgreSQL runs as another account than root, so others may pass through DATA_DIR, but not list it. */
function makeDataDir(dataDir: string): void {
  const umask = process.umask(0);
  try {
    makeFolders(dataDir, isRoot() ? 0o711 : 0o700);
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw refusal(dataDir, error);
  } finally {
    process.umask(umask);
  }
}

function refusal(dataDir: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["ENOTDIR", "EEXIST"].includes(code))
    return new EngineError(`${dataDir} is not a directory: set DATA_DIR to a directory.`, { cause: error });
  if (!["EACCES", "EPERM", "EROFS", "ENOENT"].includes(code)) return error;
  const fault = `${dataDir} cannot be written to: set DATA_DIR to a directory that can.`;
  return foreign(dataDir) ?? new EngineError(fault, { cause: error });
}

function foreign(directory: string): EngineError | undefined {
  const owner = fs.statSync(directory, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === process.getuid?.()) return undefined;
  const name = nameOf(owner);
  return new EngineError(
    `${directory} belongs to the user ${name}: run this as that user (sudo -u ${name} …), or set another DATA_DIR.`,
  );
}

function refuseForeign(home: string, cluster: string): void {
  if (isRoot()) return;
  let refused: EngineError | undefined;
  try {
    refused = foreign(cluster);
  } catch (error) {
    refused = (error as NodeJS.ErrnoException).code === "EACCES" ? foreign(home) : undefined;
    if (!refused) throw error;
  }
  if (refused) throw refused;
}

function linkedHome(link: string): string | undefined {
  if (!fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const home = dirname(fs.readlinkSync(link));
  if (fs.statSync(home, { throwIfNoEntry: false })) return home;
  throw new EngineError(
    `${link} points into ${home}, which is gone: put it back, or remove the link to begin with an empty database.`,
  );
}

function relocate(dataDir: string, log: (line: string) => void): string {
  const systemDir = makePassage(SYSTEM_DIR, 0o755);
  const home = makePassage(join(systemDir, shortName(fs.realpathSync(dataDir))), 0o711);
  try {
    fs.symlinkSync(join(home, "postgres"), join(dataDir, "postgres"));
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  log(
    `The database lives in ${home}, because PostgreSQL does not run as root and only root can enter ${dataDir}.`,
  );
  if (fs.existsSync(join(home, "postgres")))
    log(`There is a database in ${home} already, which is used: remove it to begin with an empty one.`);
  return home;
}

/** @throws EngineError where no cluster is, and no process is about to make one */
export function requireCluster(dataDir: string): void {
  const cluster = join(dataDir, "postgres");
  if (fs.existsSync(join(cluster, "PG_VERSION"))) return;
  if (fs.existsSync(`${dataDir}/`)) {
    refuseForeign(dataDir, cluster);
    if (holderOf(linkedHome(cluster) ?? dataDir)) return;
  }
  const remedy = "set DATA_DIR to the folder of the site, or start the server first.";
  throw new EngineError(`There is no database in ${dataDir}: ${remedy}`);
}

/** Independent of the umask. */
function makePassage(directory: string, mode: number): string {
  makeFolders(directory, mode);
  fs.chmodSync(directory, mode);
  return directory;
}

export const PORT = 5432;
/** The smallest limit of a kernel, that of macOS. */
const MAX_SOCKET_PATH = 103;

/** Makes the directory beside the cluster, or in the temporary directory if that path is too long. */
export function makeSocketDir({ home, account }: Location): string {
  const beside = join(home, "socket");
  const fits = Buffer.byteLength(socketIn(beside)) <= MAX_SOCKET_PATH;
  const temporary = tmpdir().length < 60 ? tmpdir() : "/tmp";
  const socketDir = fits ? beside : join(temporary, `inkstone-${shortName(home)}`);
  makePrivateDir(socketDir, account);
  return socketDir;
}

export const socketIn = (socketDir: string): string => join(socketDir, `.s.PGSQL.${PORT}`);
