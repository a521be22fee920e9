import { basename } from "node:path";
import { IS_SOURCE, locate } from "../layout.ts";

/** The module of a thread or process, by its path from `src/` without its extension. */
export function workerModule(path: string): URL {
  return IS_SOURCE ? locate(`${path}.ts`) : locate(`${basename(path)}.js`);
}

/** Whether a Node has to be taught to read the modules of this program: an older one does not read TypeScript. */
export function needsLoader(): boolean {
  const readsTypeScript = "typescript" in process.features && Boolean(process.features.typescript);
  return IS_SOURCE && !readsTypeScript;
}

/** What a thread is started with: it does not inherit the loader of the main thread, and `--import tsx` registers itself there only. */
export function threadArguments(): string[] {
  if (!needsLoader()) return [];
  const tsx = import.meta.resolve("tsx/esm/api");
  return ["--import", `data:text/javascript,import { register } from "${tsx}"; register();`];
}
