import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { say } from "../entry.ts";
import { makeOnce } from "../measure/make-once.ts";
import { command } from "../measure/program.ts";
import { newDataDir } from "../measure/start-up.ts";

/** A community file, and a data directory with it. */
export interface Source {
  dataDir: string;
  file: string;
  /** Takes away what is temporary. */
  leave(): Promise<void>;
}

export interface Given {
  /** Undefined for the demo community. */
  file: string | undefined;
  only: string;
  keep: string | undefined;
}

/** Fills a data directory with the file, or with the demo, whose file is an export of it. */
export async function prepareSource({ file, only, keep }: Given): Promise<Source> {
  const dataDir = keep === undefined ? newDataDir() : join(keep, await nameOf(file));
  const exported = `${dataDir}.ndjson`;
  const fill = async () => {
    say("Importing");
    if (file !== undefined) return command(dataDir, ["import", file, "--only", only]);
    await command(dataDir, ["demo"]);
    return command(dataDir, ["export", exported, "--only", only]);
  };
  const leave = async () => {
    if (keep !== undefined) return;
    await rm(dataDir, { recursive: true, force: true });
    await rm(exported, { force: true });
  };
  try {
    await (keep === undefined ? fill() : makeOnce(dataDir, fill));
    return { dataDir, file: file ?? exported, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** By its bytes, so that another file gets another directory. */
async function nameOf(file: string | undefined): Promise<string> {
  if (file === undefined) return "demo";
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return `relevance-${hash.digest("hex").slice(0, 12)}`;
}
