import { execFileSync } from "node:child_process";
import type { Report } from "./kit.ts";
import { share, table } from "./report.ts";

/** A figure of this program and of the one of another checkout, which took turns. */
export interface Pair {
  name: string;
  unit: "ms of CPU" | "KB of WAL" | "MiB" | "a second";
  now: number;
  before: number;
}

/** A cost that grows by more is flagged; the noise of turns is smaller. */
const MOST_TIMES = 1.05;

const costsMore = ({ unit, now, before }: Pair) => unit !== "a second" && now > MOST_TIMES * before;

/** The table of the ratios between this program and the one in `folder`. */
export function besideReport(pairs: readonly Pair[], folder: string): Report {
  const other = execFileSync("git", ["-C", folder, "log", "-1", "--format=%h"], { encoding: "utf8" }).trim();
  const rows = pairs.map((pair) => [
    `${pair.name}, ${pair.unit}`,
    pair.before.toFixed(2),
    pair.now.toFixed(2),
    share(pair.now / pair.before),
    costsMore(pair) ? "MORE" : "",
  ]);
  return {
    tables: [table(["Line", `of ${other}`, "now", "ratio", "Verdict"], rows)],
    faults: pairs.filter(costsMore).map(({ name, unit, now, before }) => {
      return `${name}: ${share(now / before)} times the ${unit}, at most ${MOST_TIMES} allowed.`;
    }),
  };
}
