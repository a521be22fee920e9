import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a directory unless an earlier run has made it, and gives what `make` told of it then. */
export async function makeOnce<Told>(path: string, make: () => Promise<Told>): Promise<Told> {
  const note = `${path}.json`;
  // The note is written last: a directory without one is what an interrupted run has left.
  if (existsSync(note)) return JSON.parse(await readFile(note, "utf8")) as Told;
  if (existsSync(path)) throw new Error(`${path} was not filled to its end: remove it, and it is made anew.`);
  await mkdir(dirname(path), { recursive: true });
  const told = await make();
  await writeFile(note, JSON.stringify(told));
  return told;
}
