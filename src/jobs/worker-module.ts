/** Whether this program runs as the TypeScript that it is written in. */
const IS_SOURCE = import.meta.url.endsWith(".ts");

/** The module of this name beside another, as source or compiled. */
export function workerModule(name: string, beside: string): URL {
  return new URL(`./${name}.${IS_SOURCE ? "ts" : "js"}`, beside);
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
