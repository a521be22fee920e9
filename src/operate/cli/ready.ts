import { readConfig } from "../../platform/config.ts";
import { isOrigin } from "../../platform/config/rules.ts";
import { invalid } from "../../platform/errors.ts";
import { quote } from "../../platform/text/quote.ts";
import { action } from "./command.ts";
import { print } from "./output.ts";
import { addressOf } from "./running-servers.ts";

const PATIENCE_MS = 5_000;

export const addReady = action(
  {
    name: "ready",
    text: "check that a server can serve requests, as the health check of a container does",
    options: { "--url <address>": "the server's address, instead of HOST and PORT on this computer" },
    examples: ["inkstone ready", "inkstone ready --url https://community.example"],
    note: "Exit code 1 when the server isn't ready, or doesn't respond within 5 seconds.",
  },
  async ({ url }: { url?: string }, { refuse }) => {
    if (url !== undefined && !isOrigin(url))
      refuse(`--url must be an address like https://community.example, not ${quote(url)}`);
    const address = url ?? addressOf(readConfig());
    const status = await statusOf(`${address}/readyz`).catch((error: unknown) => {
      throw invalid(`The server at ${address} isn't ready: ${reasonOf(error)}.`);
    });
    if (status !== 200) throw invalid(`The server at ${address} isn't ready: /readyz is ${status}.`);
    print(`The server at ${address} is ready.`);
  },
);

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  await response.body?.cancel();
  return response.status;
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return `it doesn't respond within ${PATIENCE_MS / 1_000} seconds`;
  const { code, message: reason } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "nothing listens there";
  return reason ?? message;
}
