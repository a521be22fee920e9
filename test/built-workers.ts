import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { WorkerEntry } from "../src/platform/jobs/worker-entry.ts";
import { builtProgram } from "./setup.ts";

/**
 * Stands in for src/platform/jobs/worker-entry.ts: workers start from the bundle, because reading the sources takes each
 * of them half a second of processor time.
 */
export function entryOf(module: string): WorkerEntry {
  if (module.startsWith("../test/")) return fromSource(module);
  const url = pathToFileURL(join(dirname(builtProgram()), `${basename(module)}.js`));
  return { url, threadArguments: [], processArguments: [] };
}

/** A worker of the tests, which the bundle does not have. */
function fromSource(module: string): WorkerEntry {
  const register = `import { register } from "${import.meta.resolve("tsx/esm/api")}"; register();`;
  return {
    url: new URL(`${basename(module)}.ts`, import.meta.url),
    threadArguments: ["--import", `data:text/javascript,${register}`],
    processArguments: [],
  };
}
