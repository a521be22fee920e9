import { type Static, Type } from "typebox";
import { invalid } from "../errors.ts";
import { givenOf } from "../records/columns.ts";
import { MAX_RECORD_ID } from "../records/identity.ts";
import { fromIso } from "../records/iso.ts";
import { faultOfAddress, faultOfSource, namedEvents, normalUrl, unknownEvent } from "./attributes.ts";
import { isSecret, makeSecret } from "./secret.ts";

const Text = Type.String();
const Moment = Type.String({ format: "date-time" });

/** A webhook endpoint in a community file. */
export const WebhookRecord = Type.Object({
  user: Text,
  source: Text,
  target_url: Text,
  events: Type.Array(Text, { minItems: 1 }),
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  secret: Type.Optional(Text),
  created_at: Type.Optional(Moment),
  disabled_at: Type.Optional(Moment),
  disabled_reason: Type.Optional(Text),
});
export type WebhookRecord = Static<typeof WebhookRecord>;

/**
 * What a record says of an endpoint; what it leaves out stays as it is. Wherever it leads: whether anything
 * is sent there is decided when it is sent.
 * @throws AppError invalid with the reason why it can't be imported
 */
export function toColumns(record: WebhookRecord) {
  const source = record.source.trim();
  const fault = faultOfSource(source);
  if (fault !== undefined) throw invalid(`source ${fault}`);
  const target_url = normalUrl(record.target_url.trim());
  const addressFault = faultOfAddress(target_url);
  if (addressFault !== undefined) throw invalid(`target_url ${addressFault}`);
  const unknown = unknownEvent(record.events);
  if (unknown !== undefined) throw invalid(unknown);
  return {
    source,
    target_url,
    events: namedEvents(record.events),
    ...givenOf(record, { secret: checkSecret, created_at: fromIso, disabled_at: fromIso }),
    ...reasonOf(record),
  };
}

function reasonOf({ disabled_at, disabled_reason }: WebhookRecord) {
  if (disabled_at === undefined) {
    if (disabled_reason === undefined) return {};
    throw invalid("disabled_reason needs disabled_at beside it");
  }
  return { disabled_reason: disabled_reason ?? "It was disabled before it was imported." };
}

function checkSecret(text: string): string {
  if (isSecret(text)) return text;
  throw invalid("secret must be whsec_ and 24 to 64 bytes in base64");
}

/** What a new endpoint is besides what its record says. */
export function defaultsAt(now: Date) {
  return { secret: makeSecret(), created_at: now };
}
