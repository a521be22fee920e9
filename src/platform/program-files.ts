export const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * A file by its path from `src/`. The bundle has its modules and copies of other files directly in `dist/`, so a path
 * finds the same file.
 */
export const locate = (path: string): URL =>
  new URL(path, IS_SOURCE ? new URL("../", import.meta.url) : import.meta.url);
