import { asTyped } from "../../platform/config.ts";
import { reasonOf } from "../../platform/db/failures.ts";

/** `warn` is worth a look, `fail` must be repaired. */
export interface Finding {
  check: string;
  result: "ok" | "warn" | "fail";
  /** The state and, unless it is ok, its remedy. */
  message: string;
  faults?: string[];
}

export type Outcome = Omit<Finding, "check">;

export const ok = (message: string): Outcome => ({ result: "ok", message: asTyped(message) });
export const warn = (message: string): Outcome => ({ result: "warn", message: asTyped(message) });
export const fail = (message: string): Outcome => ({ result: "fail", message: asTyped(message) });

export async function examineOne(check: string, look: () => Promise<Outcome>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, result: "fail", message: `This can't be checked (${reasonOf(error)}).` };
  }
}
