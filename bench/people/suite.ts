import { say } from "../entry.ts";
import { type Timed, timeInTurn } from "../measure/in-turn.ts";
import { preparePeople } from "./data-dirs.ts";
import { READS } from "./reads.ts";
import { openSite, type Site } from "./site.ts";

export interface PeopleBench {
  /** Of people. */
  small: number;
  large: number;
  /** Where the data directories are kept for another run. */
  keep: string | undefined;
  requests: number;
  /** Part of the names of what is measured. */
  only: string;
}

/** Measures both sizes in one run, so that they share what the computer does besides. */
export async function measurePeople({ small, large, keep, requests, only }: PeopleBench): Promise<Timed[]> {
  const reads = READS.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()));
  if (reads.length === 0)
    throw new Error(`--only must be part of one of these names: ${READS.map(({ name }) => name).join("; ")}`);
  const open: (() => Promise<void>)[] = [];
  const start = async (users: number): Promise<Site> => {
    const dataDir = await preparePeople(users, keep);
    open.push(dataDir.leave);
    const site = await openSite(dataDir);
    open.push(site.stop);
    return site;
  };
  try {
    const sizes = { small: await start(small), large: await start(large) };
    say("Measuring");
    return await timeInTurn(reads, sizes, { times: requests });
  } finally {
    for (const close of open.toReversed()) await close();
  }
}
