import { basename } from "node:path";
import { IS_SOURCE, locate } from "../program-files.ts";

/** The file that a worker begins with, and the arguments with which Node reads it. */
export interface WorkerEntry {
  url: URL;
  threadArguments: string[];
  processArguments: string[];
}

/** @param module by its path from `src/` without its extension */
export function entryOf(module: string): WorkerEntry {
  const url = IS_SOURCE ? locate(`${module}.ts`) : locate(`${basename(module)}.js`);
  if (!needsLoader()) return { url, threadArguments: [], processArguments: [] };
  // A thread does not inherit the loader of the main thread, and `--import tsx` registers itself there only.
  const register = `import { register } from "${import.meta.resolve("tsx/esm/api")}"; register();`;
  return {
    url,
    threadArguments: ["--import", `data:text/javascript,${register}`],
    processArguments: ["--import", import.meta.resolve("tsx")],
  };
}

/** Whether Node needs a loader for the sources: older versions do not read TypeScript. */
function needsLoader(): boolean {
  const readsTypeScript = "typescript" in process.features && Boolean(process.features.typescript);
  return IS_SOURCE && !readsTypeScript;
}
