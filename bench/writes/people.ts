import { connect, type Connection } from "../../src/db/connect.ts";
import { operator } from "../../src/actor.ts";
import { asOwner, connectionVia } from "../../src/db/embedded/database.ts";
import { readPidFile } from "../../src/db/embedded/processes.ts";
import * as keys from "../../src/users/keys.ts";
import * as users from "../../src/users/users.ts";
import { join } from "node:path";

/** A writer with a key. */
export interface Author {
  username: string;
  key: string;
}

/** Connects to the PostgreSQL of a program that serves this data directory, to write. */
export function openForWriting(dataDir: string, poolSize: number): Connection {
  const running = readPidFile(join(dataDir, "postgres"));
  if (!running) throw new Error(`No PostgreSQL runs in ${dataDir}: unset DATABASE_URL and try again.`);
  return connect({ connection: asOwner(connectionVia(running.socketDir, running.port)), poolSize });
}

export async function makeAuthors({ db }: Connection, count: number): Promise<Author[]> {
  const authors: Author[] = [];
  for (let number = 0; number < count; number += 1) {
    const username = `writer_${number}`;
    const { id } = await users.create(operator(db), { username, name: `Writer ${number}` });
    const { key } = await keys.create(db, { userId: id, description: "Bench" }, new Date());
    authors.push({ username, key });
  }
  return authors;
}
