/** Whether the program runs as the TypeScript that it is written in, or from its bundle. */
export const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * A file of the program by its path from `src/`. The bundle has its modules directly in `dist/`, beside a copy of the
 * other files of `src/`, so a path finds the same file in both.
 */
export function locate(path: string): URL {
  return new URL(path, import.meta.url);
}
