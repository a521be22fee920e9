import type { FastifyContextConfig, FastifySchema } from "fastify";
import { Type } from "typebox";
import { errors } from "./schema.ts";

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[\\x20-\\x7e]+$",
  description:
    "A text of yours that names this request. Sent again with the same key it is answered as before, for at least 24 hours, and nothing is done twice.",
});

const IfMatch = Type.String({
  description:
    "The `ETag` of what you read. When it has changed since, the request is refused and changes nothing.",
});

/** What the description of a route says of the headers that make it conditional. */
export function conditions({ idempotent, versioned }: FastifyContextConfig): FastifySchema {
  const properties = {
    ...(idempotent && { "Idempotency-Key": IdempotencyKey }),
    ...(versioned && { "If-Match": IfMatch }),
  };
  const headers = Object.keys(properties).length > 0 && { type: "object", properties };
  return {
    ...(headers && { headers }),
    response: { ...(idempotent && errors(409, 422)), ...(versioned && errors(412)) },
  };
}
