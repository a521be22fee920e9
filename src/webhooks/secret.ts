import { randomBytes } from "node:crypto";

/** How long the secret before the last still signs too. */
export const OVERLAP_MS = 24 * 3_600_000;

const SECRET_BYTES = 32;

/** A secret in the form that receivers are given: Standard Webhooks' prefix and base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}
