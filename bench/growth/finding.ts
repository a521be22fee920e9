import { VoidRun } from "../measure/wrk.ts";
import { table } from "../report.ts";

/** One figure of a run, beside its limit. */
export interface Finding {
  name: string;
  /** With the figures that it comes from. */
  result: string;
  limit: string;
  /** Undefined where the figure says nothing, for the reason in `result`. */
  holds: boolean | undefined;
}

const show = (value: number) => value.toFixed(Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : 2);

interface Limit {
  value: number;
  unit: string;
  atMost?: number;
  atLeast?: number;
  /** The figures that the value comes from. */
  from?: string;
}

export function found(name: string, { value, unit, atMost, atLeast, from }: Limit): Finding {
  const limit = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
  return {
    name,
    result: `${show(value)} ${unit}${from === undefined ? "" : ` (${from})`}`,
    limit: `${limit} ${unit}`,
    holds: value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity),
  };
}

/** One figure as many times another one of the same run. */
export function times(
  name: string,
  {
    now,
    beside,
    unit,
    ...bounds
  }: { now: number; beside: number; unit: string } & Pick<Limit, "atMost" | "atLeast">,
): Finding {
  const from = `${show(now)} ${unit} beside ${show(beside)}`;
  return found(name, { value: now / beside, unit: "x", ...bounds, from });
}

export function unmeasured(name: string, reason: string): Finding {
  return { name, result: `VOID: ${reason}`, limit: "", holds: undefined };
}

/** Findings under this name, or the reason why there are none. */
export async function attempt(name: string, work: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    if (!(error instanceof VoidRun)) throw error;
    return [unmeasured(name, error.message)];
  }
}

export function findingsTable(findings: readonly Finding[], title = "Growing"): string {
  const verdict = ({ holds }: Finding) => (holds === undefined ? "" : holds ? "holds" : "MISSED");
  const rows = findings.map((finding) => [finding.name, finding.result, finding.limit, verdict(finding)]);
  return table([title, "Result", "Limit", "Verdict"], rows);
}

export function faultsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ holds }) => holds !== true)
    .map(({ name, result, limit }) => `${name}: ${result}${limit === "" ? "" : `, ${limit} allowed`}.`);
}
