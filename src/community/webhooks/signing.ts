import { createHmac, randomBytes } from "node:crypto";

/** How long a secret still signs after it was changed. */
export const OVERLAP_MS = 24 * 3_600_000;

const SECRET_BYTES = 32;

/** A secret in the form of Standard Webhooks: its prefix and base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === base64;
}

export interface Secrets {
  secret: string;
  /** Those before it that are still valid. */
  previous_secrets: readonly string[];
}

/**
 * The headers of Standard Webhooks 1.0.0. The id is the same over all attempts: receivers deduplicate by it. By the
 * timestamp they refuse a recorded request that is sent again.
 */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  { secret, previous_secrets }: Secrets,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = [secret, ...previous_secrets].map((one) => sign(one, `${id}.${timestamp}.${body}`));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
