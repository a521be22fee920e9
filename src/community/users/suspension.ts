import type { Db } from "../../platform/db/connect.ts";
import { formatMoment } from "../../platform/text/dates.ts";
import * as queries from "./queries.ts";

export interface Suspension {
  suspended_until: Date | null;
  suspension_reason: string | null;
}

/** Goes on from "is suspended": until when, and why. */
export function howSuspended({ suspended_until: until, suspension_reason: reason }: Suspension): string {
  return `${until ? ` until ${formatMoment(until)}` : ""}.${reason ? ` The reason: ${reason}` : ""}`;
}

export async function sentenceOf(db: Db, userId: number): Promise<string> {
  const account = await queries.findUser(db, userId);
  return `This account is suspended${account ? howSuspended(account) : "."}`;
}
