import type { FastifyReply, FastifyRequest } from "fastify";
import { etagOf, isKnown } from "./answers.ts";
import { type Encoding, pack, preferredEncoding } from "./encodings.ts";

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
  return reply.header("content-encoding", encoding).send(await packedAs(encoding, text));
}

/** The last 4 % of levels 10 and 11 take ten times as long. */
const LEVEL = 9;

function packedAs(encoding: Encoding, { body, packed }: ConstantText): Promise<Buffer> {
  const known = packed.get(encoding);
  if (known !== undefined) return known;
  const made = pack(body, encoding, LEVEL);
  packed.set(encoding, made);
  return made;
}
