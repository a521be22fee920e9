import { createHmac } from "node:crypto";

/** What an endpoint's deliveries are signed with. */
export interface Secrets {
  secret: string;
  /** Those before it that aren't over, which sign too. */
  previous_secrets: readonly string[];
}

export interface Message {
  /** The same over all attempts: receivers know by it what they have had already. */
  id: string;
  body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0 for an attempt that is made now: by the date in them a receiver
 * refuses what somebody else has recorded and sends again.
 */
export function signedHeaders(
  { id, body }: Message,
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
