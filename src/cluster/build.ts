import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { locate } from "../layout.ts";

/** A build removes it before it writes its first file, and writes it last. */
const BUILT = locate(".built");

/** The sources have none, nor has an installation that copied only the modules. */
const isMarked = existsSync(BUILT);

const isWhole = () => !isMarked || existsSync(BUILT);

const PATIENCE_MS = 60_000;

/** Waits while another version is built in `dist/`. Returns whether that is whole. */
export async function waitForBuild(signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isWhole() && performance.now() < deadline) await sleep(100, undefined, { signal });
  return isWhole();
}
