import { createHmac } from "node:crypto";

/** What an endpoint's deliveries are signed with. */
export interface Secrets {
  secret: string;
  /** The one before it, which signs too until then. */
  previous_secret: string | null;
  previous_secret_until: Date | null;
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
export function signedHeaders({ id, body }: Message, secrets: Secrets, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = validSecrets(secrets, now).map((secret) => sign(secret, `${id}.${timestamp}.${body}`));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function validSecrets({ secret, previous_secret, previous_secret_until }: Secrets, now: Date): string[] {
  const isPreviousValid = previous_secret_until !== null && now < previous_secret_until;
  return previous_secret !== null && isPreviousValid ? [secret, previous_secret] : [secret];
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
