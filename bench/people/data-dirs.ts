import type { Connection } from "../../src/db/connect.ts";
import * as keys from "../../src/users/keys.ts";
import { createRandom } from "../corpus/random.ts";
import { makeVocabulary } from "../corpus/words.ts";
import { say } from "../entry.ts";
import { type DataDir, prepareDataDir } from "../measure/data-dir.ts";
import { serve } from "../measure/program.ts";
import { round } from "../report.ts";
import { openForWriting } from "../writes/people.ts";
import * as accounts from "./accounts.ts";
import { insertAll } from "./bulk.ts";
import { makeRight } from "./counts.ts";
import { FIXED, shapeOf } from "./shape.ts";
import * as texts from "./texts.ts";
import * as ties from "./ties.ts";

interface Made {
  users: number;
  /** One of each prominent person. */
  keys: string[];
}

/** A data directory with people in it. */
export type PeopleDir = DataDir & Made;

const SEED = 1;

/** Makes a temporary one, or one in the directory `keep` unless an earlier run has made it there. */
export function preparePeople(users: number, keep: string | undefined): Promise<PeopleDir> {
  return prepareDataDir({ name: `people-${users}`, keep }, (path) => fill(path, users));
}

/** In the order of their references. */
const TABLES: readonly [table: string, rows: (making: accounts.Making) => Iterable<object>][] = [
  ["handles", accounts.handles],
  ["users", accounts.users],
  ["organizations", accounts.organizations],
  ["organization_members", accounts.members],
  ["tags", accounts.tags],
  ["articles", texts.articles],
  ["comments", texts.comments],
  ["listings", texts.listings],
  ["follows", ties.follows],
  ["reactions", ties.reactions],
];

/** The program makes the database, and the rows are put into it: a million would take it too long. */
async function fill(path: string, users: number): Promise<Made> {
  say(`Writing ${round(users)} users and what they do`);
  const { stop } = await serve(path);
  try {
    const connection = openForWriting(path, 1);
    try {
      const shape = shapeOf(users);
      const random = createRandom(SEED);
      const making = { shape, random, vocabulary: makeVocabulary(SEED), until: new Date() };
      for (const [table, rows] of TABLES) await insertAll(connection.pool, table, rows(making));
      await makeRight(connection, shape.articles);
      return { users, keys: await makeKeys(connection) };
    } finally {
      await connection.db.destroy();
    }
  } finally {
    await stop();
  }
}

async function makeKeys({ db }: Connection): Promise<string[]> {
  const made: string[] = [];
  for (let userId = 1; userId <= FIXED.prominent; userId += 1) {
    const { key } = await keys.create(db, { userId, description: "Bench" }, new Date());
    made.push(key);
  }
  return made;
}
