import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const SRC = join(import.meta.dirname, "..", "src");

/** The sources without their tests, by their paths in `src/`. */
export const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
);

/** The sources that a source imports, whether their values or only their types. */
export function localImports(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8");
  return [...source.matchAll(/(?:from|import)[ (]"(\.[^"]+)"/g)].map((match) =>
    relative(SRC, join(SRC, dirname(file), match[1] as string)),
  );
}

/** The circles in which sources import each other, each as the list of its files. */
export function circles(): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  function follow(file: string, path: string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const target of localImports(file)) follow(target, [...path, file]);
    done.add(file);
  }
  for (const file of files) follow(file, []);
  return found;
}
