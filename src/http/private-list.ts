import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { privateAnswer } from "./answers.ts";
import { isForemClient, mediaType, toForem } from "./forem-compat.ts";

export interface PortionedList {
  portions: (() => Promise<string[]>)[];
  headers: Record<string, string>;
}

/** A list of several portions is streamed as the client reads it, and has no `ETag`. */
export async function privateList(
  request: FastifyRequest,
  reply: FastifyReply,
  { portions, headers }: PortionedList,
): Promise<FastifyReply> {
  const [first, ...others] = portions;
  // A failure before the first byte is answered normally.
  const begin = first === undefined ? [] : await first();
  if (others.length === 0) return privateAnswer(request, reply, { body: `[${begin.join(",")}]`, headers });
  const text = isForemClient(request) ? toForem : (item: string) => item;
  reply.headers({ ...headers, "cache-control": "private, no-store", vary: "Accept, api-key" });
  return reply.type(mediaType(request)).send(Readable.from(arrayOf(begin, others, text)));
}

async function* arrayOf(
  begin: string[],
  others: PortionedList["portions"],
  text: (item: string) => string,
): AsyncGenerator<string> {
  let before = "[";
  for (const load of [async () => begin, ...others]) {
    for (const item of await load()) {
      yield before + text(item);
      before = ",";
    }
  }
  yield before === "[" ? "[]" : "]";
}
