import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Disk } from "./disk.ts";
import { createFiles, type Files } from "./files.ts";

type Settings = Pick<Config, "dataDir" | "s3">;

interface OpenOptions {
  disk?: Pick<Disk, "hasRoom">;
  onFailure?: () => void;
}

export async function openFiles(config: Settings, { disk, onFailure }: OpenOptions = {}): Promise<Files> {
  if (config.s3 === undefined) return createFiles(placeOf(config), disk);
  // The client is loaded only where it is used.
  const { createS3Files } = await import("./s3.ts");
  return createS3Files(config.s3, { place: placeOf(config), onFailure });
}

export const placeOf = ({ dataDir, s3 }: Settings): string =>
  s3 === undefined ? join(dataDir, "files") : `the bucket ${s3.bucket} of ${s3.endpoint}`;
