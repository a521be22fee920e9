import type { Db } from "../db/connect.ts";
import { withUnknownHash } from "../users/sign-in.ts";
import { type Outcome, ok, warn } from "./finding.ts";

/** Passwords that other programs hashed in their own way can't be checked here. */
export async function checkPasswords(db: Db): Promise<Outcome> {
  const names = await withUnknownHash(db);
  if (names.length === 0) return ok("Each stored hash is of a kind that a password can match.");
  const shown = names.slice(0, 5).join(", ");
  const others = names.length > 5 ? ` and ${names.length - 5} others` : "";
  return warn(
    `The hashes of ${shown}${others} are of an unknown kind, so their passwords can't be used: \`inkstone user sign-in-link ${names[0]}\` lets one in, who then chooses a new password.`,
  );
}
