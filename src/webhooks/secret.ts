import { randomBytes } from "node:crypto";

/** How long a secret still signs after it was changed. */
export const OVERLAP_MS = 24 * 3_600_000;

const SECRET_BYTES = 32;

/** A secret in the form that receivers are given: Standard Webhooks' prefix and base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Whether a text is a secret of 24 to 64 bytes, as Standard Webhooks has it. */
export function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === base64;
}
