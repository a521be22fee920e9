import type { Config } from "../config.ts";
import { type Outcome, ok, warn } from "../health/finding.ts";
import { addressOf, type RunningServer } from "./running-servers.ts";

const PATIENCE_MS = 3_000;
const LINE = /^inkstone_misspelt_parameters_total\{operation="(\w+)",parameter="(\w+)"\} (\d+)$/gm;

/** Query parameters that clients misspell, as the metrics of a running server count them. */
export async function checkParameters(server: Pick<RunningServer, "config">, own: Config): Promise<Outcome> {
  const token = own.metricsToken;
  const response = await fetch(`${addressOf(server.config)}/metrics`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (!response.ok)
    return warn(
      `The server's /metrics responds with ${response.status}: run this command with the server's METRICS_TOKEN.`,
    );
  const names = [...text.matchAll(LINE)].map(
    ([, operation, parameter, count]) =>
      `${parameter} of ${operation} (${count} ${count === "1" ? "spelling" : "spellings"})`,
  );
  if (names.length === 0) return ok("No client has sent a misspelt one since the server's start.");
  return warn(
    `Clients misspell ${names.join(", ")}, and the server ignores these. Its log names them: search it for "unknown parameter".`,
  );
}
