import type { FastifyContextConfig, FastifySchema } from "fastify";
import { Type } from "typebox";
import { errors } from "./schema.ts";

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[\\x20-\\x7e]+$",
  description:
    "A text of the client's choice that identifies the request. For at least 24 hours, the same request with the same key gets the same answer and has no further effect.",
});

const IfMatch = Type.String({
  description:
    "An `ETag` of the resource. If the resource has changed since, the request fails and changes nothing.",
});

/** The description of the headers that make a route conditional. */
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
