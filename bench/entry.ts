/** Progress goes to stderr, so that stdout holds the results and nothing else. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs a bench; its failures end it with one sentence and exit code 1. */
export async function runBench(name: string, run: () => Promise<void>): Promise<void> {
  // Ctrl-C reaches the processes of the bench too: they end, the measurement fails, and everything is cleared away.
  process.once("SIGINT", () => say("Stopping"));
  try {
    await run();
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** The command that measures the same again: the script, and the given options that change the numbers. */
export function commandLine(script: string, options: Record<string, string>): string {
  const given = new Set(process.argv.slice(2).map((arg) => arg.replace(/=.*/, "")));
  const args = Object.entries(options).flatMap(([name, value]) =>
    given.has(name) ? [name, quoted(value)].filter((part) => part !== "") : [],
  );
  return [`npm run ${script}`, ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
}

function quoted(value: string): string {
  return /^[\w.,-]*$/.test(value) ? value : JSON.stringify(value);
}

/** Reads a whole number of the command line; the error names the option. */
export function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number >= from && number <= to) return number;
  throw new Error(`${name} must be a whole number from ${from} to ${to}, not ${JSON.stringify(text)}`);
}
