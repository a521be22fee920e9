import type { Command } from "commander";
import { createProgram } from "../src/cli/run.ts";

/** Every command that does something, as it is typed after `inkstone`. */
export async function everyCommand(): Promise<string[]> {
  return commands(await createProgram([]));
}

function commands(of: Command, before = ""): string[] {
  return of.commands.flatMap((command) => {
    const typed = `${before}${command.name()}`;
    return command.commands.length === 0 ? [typed] : commands(command, `${typed} `);
  });
}
