import type { FastifyReply, FastifyRequest } from "fastify";
import { etagOf, isKnown } from "./answers.ts";
import { type Encoding, pack, preferredEncoding } from "./encodings.ts";

/** The last 4 % of levels 10 and 11 take ten times as long. */
const LEVEL = 9;

/** Each encoding is made once. */
export interface ConstantText {
  type: string;
  body: Buffer;
  etag: string;
  packed: Map<Encoding, Promise<Buffer>>;
}

export function constantText(type: string, text: string | Buffer): ConstantText {
  const body = Buffer.from(text);
  return { type, body, etag: etagOf(body), packed: new Map() };
}

export async function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  text: ConstantText,
): Promise<FastifyReply> {
  reply.headers({ etag: text.etag, vary: "Accept-Encoding" });
  if (isKnown(request, text.etag)) return reply.code(304).send();
  reply.type(text.type);
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding === undefined) return reply.send(text.body);
  let packed = text.packed.get(encoding);
  if (packed === undefined) text.packed.set(encoding, (packed = pack(text.body, encoding, LEVEL)));
  return reply.header("content-encoding", encoding).send(await packed);
}
