import { join } from "node:path";
import { makePrivateDir, shortName, temporaryDir, type Place } from "./place.ts";

export const PORT = 5432;
/** What the kernel accepts as the name of a socket, on the stricter of Linux (107) and macOS (103). */
const MAX_SOCKET_PATH = process.platform === "darwin" ? 103 : 107;

/** Makes the private directory for the socket: beside the cluster, or in a shorter place if that name is too long. */
export function makeSocketDir({ home, account }: Pick<Place, "home" | "account">): string {
  const beside = join(home, "socket");
  const socketDir = fits(beside) ? beside : join(temporaryDir(), `inkstone-${shortName(home)}`);
  makePrivateDir(socketDir, account);
  return socketDir;
}

export function socketIn(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${PORT}`);
}

function fits(socketDir: string): boolean {
  return Buffer.byteLength(socketIn(socketDir)) <= MAX_SOCKET_PATH;
}
