import type { Command } from "commander";
import { createProgram } from "../src/cli/program.ts";

/** Every command that does something, as it is typed behind `inkstone`. */
export function commands(of: Command = createProgram(), before = ""): string[] {
  return of.commands.flatMap((command) => {
    const typed = `${before}${command.name()}`;
    return command.commands.length === 0 ? [typed] : commands(command, `${typed} `);
  });
}
