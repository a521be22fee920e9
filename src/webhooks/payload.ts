import { timestamp } from "../text/timestamp.ts";
import type { EventName } from "./event-names.ts";

/** What Standard Webhooks asks receivers to be ready for. */
const MAX_BYTES = 20_000;

/** What is large in what is sent; all of it can be read at its address. */
const BODIES = ["body_markdown", "body_html"];

interface Message {
  event: EventName | "ping";
  /** When it happened. */
  at: Date;
  data: object;
}

/** The body of a delivery. What would be too large goes without texts, and says so. */
export function payloadOf({ event, at, data }: Message): string {
  const write = (shown: object) => JSON.stringify({ type: event, timestamp: timestamp(at), data: shown });
  const whole = write(data);
  return Buffer.byteLength(whole) <= MAX_BYTES ? whole : write(withoutBodies(data));
}

function withoutBodies(data: object): object {
  const kept = Object.entries(data).filter(([name]) => !BODIES.includes(name));
  return { ...Object.fromEntries(kept), truncated: true };
}

/** What an endpoint is sent to see whether it listens: itself, as it is shown to its owner. */
export function pingPayload(endpoint: object, at: Date): string {
  return payloadOf({ event: "ping", at, data: endpoint });
}
