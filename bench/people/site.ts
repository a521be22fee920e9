import { createRandom, type Random } from "../corpus/random.ts";
import { type Client, createClient } from "../measure/client.ts";
import { openDatabase } from "../measure/database.ts";
import { serve } from "../measure/program.ts";
import type { PeopleDir } from "./data-dirs.ts";
import { FIXED } from "./shape.ts";

/** A running site of one size. */
export interface Site {
  users: number;
  keys: readonly string[];
  /** The numbers of comments that stand among a thousand. */
  comments: readonly number[];
  random: Random;
  client: Client;
  stop(): Promise<void>;
}

const SEED = 2;

/** Serves a data directory to one visitor, who has one connection. */
export async function openSite({ path, users, keys }: PeopleDir): Promise<Site> {
  const serving = await serve(path);
  const client = createClient(serving.baseUrl);
  const stop = async () => {
    client.close();
    await serving.stop();
  };
  try {
    const comments = await commentsAmongMany(path);
    return { users, keys, comments, random: createRandom(SEED), client, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function commentsAmongMany(dataDir: string): Promise<number[]> {
  const database = await openDatabase(dataDir);
  try {
    const { rows } = await database.query<{ id: number }>(
      "select id from comments where article_id <= $1 order by id",
      [FIXED.busy.articles],
    );
    return rows.map(({ id }) => id);
  } finally {
    await database.end();
  }
}
