export const IS_SOURCE = import.meta.url.endsWith(".ts");

/** A file by its path from `src/`. The bundle has its modules and copies of files directly in `dist/`. */
export const locate = (path: string): URL =>
  new URL(path, IS_SOURCE ? new URL("../", import.meta.url) : import.meta.url);
